// Trees and queues of search.h. The tree of tsearch is not balanced, which its users cannot see.

#include <search.h>
#include <stdlib.h>

namespace {

struct Node {
  const void* key;  // first: users read it there
  Node* left;
  Node* right;
};

using Compare = int (*)(const void*, const void*);
using Visit = void (*)(const void*, VISIT, int);

Node** find(const void* key, Node** root, Compare compare, Node** parent) {
  Node** at = root;
  while (*at) {
    const int order = compare(key, (*at)->key);
    if (order == 0) break;
    if (parent) *parent = *at;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  return at;
}

void walk(const Node* node, Visit visit, int depth) {
  if (!node) return;
  if (!node->left && !node->right) return visit(node, leaf, depth);
  visit(node, preorder, depth);
  walk(node->left, visit, depth + 1);
  visit(node, postorder, depth);
  walk(node->right, visit, depth + 1);
  visit(node, endorder, depth);
}

void destroy(Node* node, void (*release)(void*)) {
  if (!node) return;
  destroy(node->left, release);
  destroy(node->right, release);
  release(const_cast<void*>(node->key));
  free(node);
}

struct Element {
  Element* next;
  Element* previous;
};

}  // namespace

extern "C" {

void* tsearch(const void* key, void** root, Compare compare) {
  if (!root) return nullptr;
  Node** const at = find(key, reinterpret_cast<Node**>(root), compare, nullptr);
  if (*at) return *at;
  auto* const node = static_cast<Node*>(malloc(sizeof(Node)));
  *node = {key, nullptr, nullptr};
  *at = node;
  return node;
}

void* tfind(const void* key, void* const* root, Compare compare) {
  return root ? *find(key, reinterpret_cast<Node**>(const_cast<void**>(root)), compare, nullptr) : nullptr;
}

// The parent of what is gone; of the root any pointer that is not null.
void* tdelete(const void* key, void** root, Compare compare) {
  if (!root || !*root) return nullptr;
  auto* parent = static_cast<Node*>(*root);
  Node** const at = find(key, reinterpret_cast<Node**>(root), compare, &parent);
  Node* const node = *at;
  if (!node) return nullptr;
  if (node->left && node->right) {
    Node** successor = &node->right;
    while ((*successor)->left) successor = &(*successor)->left;
    Node* const next = *successor;
    *successor = next->right;
    next->left = node->left;
    next->right = node->right;
    *at = next;
  } else {
    *at = node->left ? node->left : node->right;
  }
  if (parent == node) parent = *at ? *at : reinterpret_cast<Node*>(root);
  free(node);
  return parent;
}

void twalk(const void* root, Visit visit) { walk(static_cast<const Node*>(root), visit, 0); }
void tdestroy(void* root, void (*release)(void*)) { destroy(static_cast<Node*>(root), release); }

void insque(void* element, void* before) {
  auto* const added = static_cast<Element*>(element);
  auto* const previous = static_cast<Element*>(before);
  added->previous = previous;
  added->next = previous ? previous->next : nullptr;
  if (!previous) return;
  if (previous->next) previous->next->previous = added;
  previous->next = added;
}
void remque(void* element) {
  auto* const gone = static_cast<Element*>(element);
  if (gone->next) gone->next->previous = gone->previous;
  if (gone->previous) gone->previous->next = gone->next;
}

}  // extern "C"
