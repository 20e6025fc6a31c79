// std::pmr: the default resources, and those that libstdc++ compiles.
//
// A pool keeps a list of its blocks and asks for each of them upstream, without pooling: a block that is used after it
// was given back, or after the pool has been released, is then found to be. The list is _M_unpooled, libstdc++'s own for
// large blocks.

#include <atomic>
#include <memory_resource>
#include <mutex>
#include <new>

namespace std::pmr {

namespace {

class NewDelete final : public memory_resource {
  void* do_allocate(size_t size, size_t alignment) override {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(size, align_val_t(alignment));
    return ::operator new(size);
  }
  void do_deallocate(void* block, size_t size, size_t alignment) override {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      ::operator delete(block, size, align_val_t(alignment));
    } else {
      ::operator delete(block, size);
    }
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

class Null final : public memory_resource {
  void* do_allocate(size_t, size_t) override { throw bad_alloc(); }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// Never destroyed, and there before any initialiser runs.
template <class Resource>
union Immortal {
  constexpr Immortal() : resource() {}
  ~Immortal() {}
  Resource resource;
};

constinit Immortal<NewDelete> newDelete;
constinit Immortal<Null> null;
constinit atomic<memory_resource*> standard = &newDelete.resource;

}  // namespace

memory_resource::~memory_resource() = default;

memory_resource* new_delete_resource() noexcept { return &newDelete.resource; }
memory_resource* null_memory_resource() noexcept { return &null.resource; }
memory_resource* get_default_resource() noexcept { return standard.load(memory_order_acquire); }
memory_resource* set_default_resource(memory_resource* next) noexcept {
  return standard.exchange(next ? next : new_delete_resource(), memory_order_acq_rel);
}

// ---- monotonic_buffer_resource: buffers from upstream, each with a note of itself at its end.

class monotonic_buffer_resource::_Chunk {
 public:
  _Chunk* next;
  void* buffer;
  size_t size, alignment;
};

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t alignment) {
  const size_t room = bytes > _M_next_bufsiz ? bytes : _M_next_bufsiz;
  const size_t note = (room + alignof(_Chunk) - 1) / alignof(_Chunk) * alignof(_Chunk);
  const size_t size = note + sizeof(_Chunk);
  const size_t strict = alignment > alignof(max_align_t) ? alignment : alignof(max_align_t);
  void* const buffer = _M_upstream->allocate(size, strict);
  _M_head = ::new (static_cast<char*>(buffer) + note) _Chunk{_M_head, buffer, size, strict};
  _M_current_buf = buffer;
  _M_avail = room;
  _M_next_bufsiz = _S_next_bufsize(_M_next_bufsiz);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  while (_M_head) {
    const _Chunk chunk = *_M_head;
    _M_head = chunk.next;
    _M_upstream->deallocate(chunk.buffer, chunk.size, chunk.alignment);
  }
}

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

// ---- Pools

struct __pool_resource::_BigBlock {
  void* block;
  size_t size, alignment;
};

__pool_resource::__pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_opts(options), _M_unpooled(upstream), _M_npools(0) {}
__pool_resource::~__pool_resource() { release(); }

void* __pool_resource::allocate(size_t size, size_t alignment) {
  void* const block = resource()->allocate(size, alignment);
  _M_unpooled.push_back({block, size, alignment});
  return block;
}

void __pool_resource::deallocate(void* block, size_t size, size_t alignment) {
  for (_BigBlock& known : _M_unpooled) {
    if (known.block != block) continue;
    known = _M_unpooled.back();
    _M_unpooled.pop_back();
    break;
  }
  resource()->deallocate(block, size, alignment);
}

void __pool_resource::release() noexcept {
  for (const _BigBlock& known : _M_unpooled) resource()->deallocate(known.block, known.size, known.alignment);
  vector<_BigBlock>(_M_unpooled.get_allocator()).swap(_M_unpooled);
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() = default;
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void* unsynchronized_pool_resource::do_allocate(size_t size, size_t alignment) { return _M_impl.allocate(size, alignment); }
void unsynchronized_pool_resource::do_deallocate(void* block, size_t size, size_t alignment) {
  _M_impl.deallocate(block, size, alignment);
}

synchronized_pool_resource::synchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream), _M_key(0) {}
synchronized_pool_resource::~synchronized_pool_resource() = default;
void synchronized_pool_resource::release() {
  const lock_guard lock(_M_mx);
  _M_impl.release();
}
void* synchronized_pool_resource::do_allocate(size_t size, size_t alignment) {
  const lock_guard lock(_M_mx);
  return _M_impl.allocate(size, alignment);
}
void synchronized_pool_resource::do_deallocate(void* block, size_t size, size_t alignment) {
  const lock_guard lock(_M_mx);
  _M_impl.deallocate(block, size, alignment);
}

}  // namespace std::pmr
