// std::filesystem::path: what can be done with the text of a path, by the rules of POSIX. What asks the file system is not
// modelled.
//
// The text is all that counts. A path of several components also has a list of them, for its iterators, which is made anew whenever
// the text changes.

#include <filesystem>
#include <string_view>
#include <vector>

namespace std::filesystem {

namespace {

constexpr char kSlash = '/';

// The components of a path's text, one after the other.
class Components {
 public:
  explicit Components(string_view text) : text_(text) {}

  bool next() {
    if (at_ == string_view::npos) return false;
    if (at_ == 0 && text_.starts_with(kSlash)) {
      current_ = text_.substr(0, 1);
      position_ = 0;
      at_ = text_.find_first_not_of(kSlash);
      isRoot_ = true;
      return true;
    }
    isRoot_ = false;
    position_ = at_;
    const size_t end = text_.find(kSlash, at_);
    current_ = text_.substr(at_, end - at_);
    if (end == string_view::npos) {
      at_ = end;
      return !current_.empty() || position_ != 0;
    }
    at_ = text_.find_first_not_of(kSlash, end);
    if (at_ == string_view::npos) at_ = text_.size();  // what ends with a slash ends with an empty component
    return true;
  }

  string_view current() const { return current_; }
  size_t position() const { return position_; }
  bool isRoot() const { return isRoot_; }

 private:
  const string_view text_;
  string_view current_;
  size_t at_ = 0, position_ = 0;
  bool isRoot_ = false;
};

bool isAbsolute(string_view text) { return text.starts_with(kSlash); }

size_t rootEnd(string_view text) {
  const size_t end = text.find_first_not_of(kSlash);
  return end == string_view::npos ? text.size() : end;
}

size_t filenameBegin(string_view text) {
  const size_t slash = text.rfind(kSlash);
  return slash == string_view::npos ? 0 : slash + 1;
}

int compareTexts(string_view a, string_view b) {
  if (isAbsolute(a) != isAbsolute(b)) return isAbsolute(a) ? 1 : -1;
  Components left(a), right(b);
  while (true) {
    const bool one = left.next(), other = right.next();
    if (!one || !other) return one ? 1 : other ? -1 : 0;
    if (const int order = left.current().compare(right.current())) return order;
  }
}

}  // namespace

// ---- The list. Its pointer has the type of the path in it if there is no list.

struct path::_List::_Impl {
  vector<_Cmpt> components;
};

void path::_List::_Impl_deleter::operator()(_Impl* impl) const noexcept {
  if ((reinterpret_cast<uintptr_t>(impl) & 3) == 0) delete impl;
}

path::_List::_List() : _M_impl(reinterpret_cast<_Impl*>(_Type::_Filename)) {}
path::_List::_List(const _List& other) { *this = other; }
path::_List& path::_List::operator=(const _List& other) {
  if (this == &other) return *this;
  if (other.type() == _Type::_Multi && other._M_impl) {
    _M_impl.reset(new _Impl(*other._M_impl));
  } else {
    _M_impl.reset(other._M_impl.get());
  }
  return *this;
}
void path::_List::type(_Type type) noexcept { _M_impl.reset(reinterpret_cast<_Impl*>(type)); }
path::_List::const_iterator path::_List::begin() const noexcept { return _M_impl->components.data(); }
path::_List::const_iterator path::_List::end() const noexcept {
  return _M_impl->components.data() + _M_impl->components.size();
}

void path::_M_split_cmpts() {
  vector<_Cmpt> components;
  for (Components each(_M_pathname); each.next();)
    components.emplace_back(each.current(), each.isRoot() ? _Type::_Root_dir : _Type::_Filename, each.position());
  if (components.size() > 1) {
    _M_cmpts._M_impl.reset(new _List::_Impl{std::move(components)});
  } else {
    _M_cmpts.type(isAbsolute(_M_pathname) ? _Type::_Root_dir : _Type::_Filename);
  }
}

// ---- Changing the text

path& path::operator=(const path& other) {
  _M_pathname = other._M_pathname;
  _M_cmpts = other._M_cmpts;
  return *this;
}

void path::_M_append(basic_string_view<value_type> text) {
  const string_type added(text);  // it may be a part of this one
  if (isAbsolute(added)) {
    _M_pathname = added;
  } else {
    if (has_filename()) _M_pathname += kSlash;
    _M_pathname += added;
  }
  _M_split_cmpts();
}
path& path::operator/=(const path& other) {
  _M_append(other._M_pathname);
  return *this;
}

void path::_M_concat(basic_string_view<value_type> text) {
  _M_pathname += text;
  _M_split_cmpts();
}
path& path::operator+=(const path& other) {
  _M_concat(other._M_pathname);
  return *this;
}

path& path::remove_filename() {
  _M_pathname.erase(filenameBegin(_M_pathname));
  _M_split_cmpts();
  return *this;
}
path& path::replace_filename(const path& other) {
  remove_filename();
  return operator/=(other);
}
path& path::replace_extension(const path& other) {
  string_type text = _M_pathname.substr(0, _M_pathname.size() - extension()._M_pathname.size());
  if (!other.empty() && !other._M_pathname.starts_with('.')) text += '.';
  _M_pathname = text + other._M_pathname;
  _M_split_cmpts();
  return *this;
}

// ---- Its parts

path path::root_name() const { return path(); }
path path::root_directory() const { return isAbsolute(_M_pathname) ? path("/") : path(); }
path path::root_path() const { return root_directory(); }
path path::relative_path() const { return path(_M_pathname.substr(rootEnd(_M_pathname))); }
path path::parent_path() const {
  const string_view text = _M_pathname;
  const size_t root = rootEnd(text);
  if (root == text.size()) return *this;
  const size_t name = filenameBegin(text);
  if (name <= root) return path(string_type(text.substr(0, isAbsolute(text) ? 1 : 0)));
  return path(string_type(text.substr(0, text.find_last_not_of(kSlash, name - 1) + 1)));
}

bool path::has_root_name() const noexcept { return false; }
bool path::has_root_directory() const noexcept { return isAbsolute(_M_pathname); }
bool path::has_root_path() const noexcept { return isAbsolute(_M_pathname); }
bool path::has_relative_path() const noexcept { return rootEnd(_M_pathname) != _M_pathname.size(); }
bool path::has_parent_path() const noexcept { return !parent_path().empty(); }
bool path::has_filename() const noexcept { return filenameBegin(_M_pathname) != _M_pathname.size(); }

// The component with the extension, and where that begins.
pair<const path::string_type*, size_t> path::_M_find_extension() const noexcept {
  const string_type* name = nullptr;
  if (_M_cmpts.type() == _Type::_Filename) {
    name = &_M_pathname;
  } else if (_M_cmpts.type() == _Type::_Multi) {
    name = &(_M_cmpts.end() - 1)->_M_pathname;
  }
  if (!name || name->empty()) return {};
  const size_t dot = *name == "." || *name == ".." ? string_type::npos : name->rfind('.');
  return {name, dot == 0 ? string_type::npos : dot};
}

// ---- Comparing and rewriting

int path::compare(const path& other) const noexcept { return compareTexts(_M_pathname, other._M_pathname); }
int path::compare(basic_string_view<value_type> other) const noexcept { return compareTexts(_M_pathname, other); }

inline namespace __cxx11 {
size_t hash_value(const path& path) noexcept {
  size_t hash = 14695981039346656037u;
  for (Components each(path.native()); each.next(); hash *= 31)
    for (const char c : each.current()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}
}  // namespace __cxx11

path path::lexically_normal() const {
  if (empty()) return *this;
  vector<string_view> kept;
  bool endsInSlash = false;
  for (Components each(_M_pathname); each.next();) {
    if (each.isRoot()) continue;
    const string_view name = each.current();
    const bool up = name == "..";
    endsInSlash = name.empty() || name == "." || up;
    if (name.empty() || name == ".") continue;
    if (up && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!up || !isAbsolute(_M_pathname)) {
      kept.push_back(name);
    }
  }
  string_type text = isAbsolute(_M_pathname) ? "/" : "";
  for (size_t i = 0; i < kept.size(); ++i) {
    if (i != 0) text += kSlash;
    text += kept[i];
  }
  if (endsInSlash && !kept.empty() && kept.back() != "..") text += kSlash;
  return path(text.empty() ? "." : text);
}

path path::lexically_relative(const path& base) const {
  if (is_absolute() != base.is_absolute()) return path();
  Components mine(_M_pathname), others(base._M_pathname);
  bool more = mine.next(), left = others.next();
  while (more && left && mine.current() == others.current()) {
    more = mine.next();
    left = others.next();
  }
  if (!more && !left) return path(".");
  int up = 0;
  for (; left; left = others.next()) {
    if (others.current() == "..") {
      --up;
    } else if (!others.current().empty() && others.current() != ".") {
      ++up;
    }
  }
  if (up < 0) return path();
  if (up == 0 && (!more || mine.current().empty())) return path(".");
  path result;
  for (; up != 0; --up) result /= path("..");
  for (; more; more = mine.next()) result /= path(string_type(mine.current()));
  return result;
}

path path::lexically_proximate(const path& base) const {
  path relative = lexically_relative(base);
  return relative.empty() ? *this : relative;
}

}  // namespace std::filesystem
