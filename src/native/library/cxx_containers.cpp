// The parts of containers that libstdc++ keeps in its compiled library: balanced trees (map, set), list links, bucket
// counts and hashing of bytes. Each is the ordinary algorithm, on the program's own nodes.

#include <bits/functional_hash.h>
#include <bits/stl_tree.h>

#include <list>
#include <unordered_map>

namespace std {

// ---- Red-black trees. The header is a node whose parent is the root, and left and right the first and last node.

namespace {

using Node = _Rb_tree_node_base;

Node* next(Node* node) {
  if (node->_M_right) {
    node = node->_M_right;
    while (node->_M_left) node = node->_M_left;
    return node;
  }
  Node* parent = node->_M_parent;
  while (node == parent->_M_right) {
    node = parent;
    parent = parent->_M_parent;
  }
  // Going up from the last node of a tree whose root has no right child ends at the header itself.
  return node->_M_right != parent ? parent : node;
}

Node* previous(Node* node) {
  const bool isHeader = node->_M_color == _S_red && node->_M_parent->_M_parent == node;
  if (isHeader) return node->_M_right;
  if (node->_M_left) {
    node = node->_M_left;
    while (node->_M_right) node = node->_M_right;
    return node;
  }
  Node* parent = node->_M_parent;
  while (node == parent->_M_left) {
    node = parent;
    parent = parent->_M_parent;
  }
  return parent;
}

// Puts `child`, which may be null, where `node` hangs.
void replaceInParent(Node* node, Node* child, Node*& root) {
  if (node == root) {
    root = child;
  } else if (node == node->_M_parent->_M_left) {
    node->_M_parent->_M_left = child;
  } else {
    node->_M_parent->_M_right = child;
  }
}

Node*& childOf(Node* node, bool left) { return left ? node->_M_left : node->_M_right; }

// Moves the node down to its left or right side; the child of the other side comes up.
void rotate(Node* node, bool toLeft, Node*& root) {
  Node* up = childOf(node, !toLeft);
  childOf(node, !toLeft) = childOf(up, toLeft);
  if (childOf(up, toLeft)) childOf(up, toLeft)->_M_parent = node;
  up->_M_parent = node->_M_parent;
  replaceInParent(node, up, root);
  childOf(up, toLeft) = node;
  node->_M_parent = up;
}

bool isRed(const Node* node) { return node && node->_M_color == _S_red; }

void fixAfterInsertion(Node* node, Node*& root) {
  while (node != root && isRed(node->_M_parent)) {
    Node* parent = node->_M_parent;
    Node* grandparent = parent->_M_parent;
    const bool left = parent == grandparent->_M_left;
    Node* uncle = childOf(grandparent, !left);
    if (isRed(uncle)) {
      parent->_M_color = uncle->_M_color = _S_black;
      grandparent->_M_color = _S_red;
      node = grandparent;
      continue;
    }
    if (node == childOf(parent, !left)) {
      node = parent;
      rotate(node, left, root);
    }
    node->_M_parent->_M_color = _S_black;
    grandparent->_M_color = _S_red;
    rotate(grandparent, !left, root);
  }
  root->_M_color = _S_black;
}

// `node`, which may be null, is one black node short on each path through it; `parent` is its parent.
void fixAfterErasure(Node* node, Node* parent, Node*& root) {
  while (node != root && !isRed(node)) {
    const bool left = node == parent->_M_left;
    Node* sibling = childOf(parent, !left);
    if (isRed(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, left, root);
      sibling = childOf(parent, !left);
    }
    if (!isRed(sibling->_M_left) && !isRed(sibling->_M_right)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (!isRed(childOf(sibling, !left))) {
      childOf(sibling, left)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, !left, root);
      sibling = childOf(parent, !left);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    childOf(sibling, !left)->_M_color = _S_black;
    rotate(parent, left, root);
    break;
  }
  if (node) node->_M_color = _S_black;
}

}  // namespace

Node* _Rb_tree_increment(Node* node) throw() { return next(node); }
const Node* _Rb_tree_increment(const Node* node) throw() { return next(const_cast<Node*>(node)); }
Node* _Rb_tree_decrement(Node* node) throw() { return previous(node); }
const Node* _Rb_tree_decrement(const Node* node) throw() { return previous(const_cast<Node*>(node)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* node, Node* parent, Node& header) throw() {
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (parent == &header) {
    header._M_parent = header._M_left = header._M_right = node;
  } else {
    childOf(parent, left) = node;
    if (left && parent == header._M_left) header._M_left = node;
    if (!left && parent == header._M_right) header._M_right = node;
  }
  fixAfterInsertion(node, header._M_parent);
}

Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) throw() {
  Node*& root = header._M_parent;
  if (node == header._M_left) header._M_left = next(node);
  if (node == header._M_right) header._M_right = previous(node);
  Node *child, *parent;
  _Rb_tree_color removed = node->_M_color;
  if (node->_M_left && node->_M_right) {
    // The successor, which has no left child, takes the node's place and colour.
    Node* successor = node->_M_right;
    while (successor->_M_left) successor = successor->_M_left;
    removed = successor->_M_color;
    child = successor->_M_right;
    parent = successor->_M_parent == node ? successor : successor->_M_parent;
    if (parent != successor) {
      parent->_M_left = child;
      if (child) child->_M_parent = parent;
      successor->_M_right = node->_M_right;
      successor->_M_right->_M_parent = successor;
    }
    successor->_M_left = node->_M_left;
    successor->_M_left->_M_parent = successor;
    replaceInParent(node, successor, root);
    successor->_M_parent = node->_M_parent;
    successor->_M_color = node->_M_color;
  } else {
    child = node->_M_left ? node->_M_left : node->_M_right;
    parent = node->_M_parent;
    replaceInParent(node, child, root);
    if (child) child->_M_parent = parent;
  }
  if (!root) {
    header._M_left = header._M_right = &header;
  } else if (removed == _S_black) {
    fixAfterErasure(child, parent, root);
  }
  return node;
}

unsigned int _Rb_tree_black_count(const Node* node, const Node* root) throw() {
  unsigned count = 0;
  for (; node; node = node->_M_parent) {
    count += node->_M_color == _S_black;
    if (node == root) break;
  }
  return count;
}

// ---- Doubly linked lists.

namespace __detail {

void _List_node_base::_M_hook(_List_node_base* position) noexcept {
  _M_next = position;
  _M_prev = position->_M_prev;
  position->_M_prev->_M_next = this;
  position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

void _List_node_base::_M_transfer(_List_node_base* first, _List_node_base* last) noexcept {
  if (this == last) return;
  _List_node_base* before = first->_M_prev;
  _List_node_base* end = last->_M_prev;
  before->_M_next = last;
  last->_M_prev = before;
  first->_M_prev = _M_prev;
  _M_prev->_M_next = first;
  end->_M_next = this;
  _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base* node = this;
  do {
    _List_node_base* following = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = following;
    node = following;
  } while (node != this);
}

void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  const bool aEmpty = a._M_next == &a, bEmpty = b._M_next == &b;
  std::swap(a._M_next, b._M_next);
  std::swap(a._M_prev, b._M_prev);
  const auto adopt = [](_List_node_base& list, bool empty) {
    if (empty) {
      list._M_next = list._M_prev = &list;
    } else {
      list._M_next->_M_prev = list._M_prev->_M_next = &list;
    }
  };
  adopt(a, bEmpty);
  adopt(b, aEmpty);
}

// ---- Hash tables: bucket counts are primes that about double.

namespace {

constexpr size_t kPrimes[] = {
    2,       3,       5,        7,        11,       13,        29,        59,        127,       257,        541,
    1109,    2357,    5087,     10273,    20753,    42043,     85229,     172933,    351061,    712697,     1447153,
    2938679, 5967347, 12117689, 24607243, 49969847, 101473717, 206062531, 418448243, 849741803, 1725564173, 3504151727,
};

size_t ceiling(double x) {
  const auto whole = static_cast<size_t>(x);
  return whole < x ? whole + 1 : whole;
}

}  // namespace

size_t _Prime_rehash_policy::_M_next_bkt(size_t atLeast) const {
  size_t prime = kPrimes[0];
  for (const size_t candidate : kPrimes) {
    prime = candidate;
    if (prime >= atLeast) break;
  }
  _M_next_resize = static_cast<size_t>(static_cast<double>(prime) * static_cast<double>(_M_max_load_factor));
  return prime;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  if (elements + more <= _M_next_resize) return {false, 0};
  const size_t wanted = max(elements + more, _M_next_resize ? size_t{0} : size_t{11});
  const size_t least = ceiling(static_cast<double>(wanted) / static_cast<double>(_M_max_load_factor));
  if (least <= buckets) {
    _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * static_cast<double>(_M_max_load_factor));
    return {false, 0};
  }
  return {true, _M_next_bkt(max(least + 1, buckets * _S_growth_factor))};
}

}  // namespace __detail

// ---- Hashes of bytes (FNV-1a, with a final mix): of strings, and of what std::hash has no better way for.

size_t _Fnv_hash_bytes(const void* bytes, size_t n, size_t seed) {
  auto* p = static_cast<const unsigned char*>(bytes);
  size_t hash = 0xcbf29ce484222325 ^ seed;
  for (size_t i = 0; i < n; ++i) hash = (hash ^ p[i]) * 0x100000001b3;
  return hash;
}

size_t _Hash_bytes(const void* bytes, size_t n, size_t seed) {
  const size_t hash = _Fnv_hash_bytes(bytes, n, seed);
  return hash ^ hash >> 32;
}

}  // namespace std
