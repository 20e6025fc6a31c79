// The environment: empty at first, then what the program puts there.
//
// Nothing here is locked. POSIX lets getenv and setenv be called by two threads at the same time only if nobody changes the
// environment, so a program that does is found to race. Nor is a value kept for those who still point to it: once it is replaced
// or removed it is gone, as POSIX says.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explored_inputs.h"
#include "failure.h"

namespace {

char* none[] = {nullptr};

// Is this entry, `NAME=value`, that of the name?
bool isOf(const char* entry, const char* name, size_t length) {
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

bool isName(const char* name) { return name && *name && !strchr(name, '='); }

}  // namespace

extern "C" {

char** environ = none;
char** __environ = none;

}  // extern "C"

namespace {

// The entries, and which of them belong to the program, that is to putenv.
size_t used, room;
bool* isOwn;

size_t find(const char* name, size_t length) {
  size_t at = 0;
  while (at < used && !isOf(environ[at], name, length)) ++at;
  return at;
}

void release(size_t at) {
  if (isOwn[at]) free(environ[at]);
}

void put(const char* name, size_t length, char* entry, bool own) {
  const size_t at = find(name, length);
  if (at < used) {
    release(at);
  } else {
    if (used == room) {
      room = 2 * room + 4;
      environ = static_cast<char**>(realloc(environ == none ? nullptr : environ, (room + 1) * sizeof *environ));
      isOwn = static_cast<bool*>(realloc(isOwn, room * sizeof *isOwn));
      __environ = environ;
    }
    ++used;
    environ[used] = nullptr;
  }
  environ[at] = entry;
  isOwn[at] = own;
}

}  // namespace

extern "C" {

char* getenv(const char* name) {
  const size_t length = strlen(name), at = find(name, length);
  if (at < used) return environ[at] + length + 1;
  if (heddle_inputs.environment) return heddle_choose_hook(2) == 0 ? nullptr : const_cast<char*>("1");  // not set, or set
  heddle::library::warn("getenv found nothing, as only what the program itself has put there is in the environment; no other "
                        "result was explored. To "
                        "explore that it finds \"1\", use --explore getenv");
  return nullptr;
}
char* secure_getenv(const char* name) { return getenv(name); }

int setenv(const char* name, const char* value, int replace) {
  if (!isName(name)) {
    errno = EINVAL;
    return -1;
  }
  const size_t length = strlen(name), size = strlen(value) + 1;
  if (!replace && find(name, length) < used) return 0;
  char* const entry = static_cast<char*>(malloc(length + 1 + size));
  memcpy(entry, name, length);
  entry[length] = '=';
  memcpy(entry + length + 1, value, size);
  put(name, length, entry, true);
  return 0;
}

int unsetenv(const char* name) {
  if (!isName(name)) {
    errno = EINVAL;
    return -1;
  }
  const size_t at = find(name, strlen(name));
  if (at == used) return 0;
  release(at);
  --used;
  for (size_t i = at; i < used; ++i) {
    environ[i] = environ[i + 1];
    isOwn[i] = isOwn[i + 1];
  }
  environ[used] = nullptr;
  return 0;
}

int putenv(char* entry) {
  const char* const end = strchr(entry, '=');
  if (!end) return unsetenv(entry);
  put(entry, static_cast<size_t>(end - entry), entry, false);
  return 0;
}

int clearenv(void) {
  for (size_t i = 0; i < used; ++i) release(i);
  used = 0;
  if (environ != none) environ[0] = nullptr;
  return 0;
}

}  // extern "C"
