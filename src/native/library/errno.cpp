// errno, and the texts of the errors that models return.

#include <errno.h>
#include <string.h>

namespace {

__thread int error;

}  // namespace

extern "C" {

int* __errno_location(void) { return &error; }

char* strerror(int code) {
  const char* text = "Unknown error";
  switch (code) {
    case 0: text = "Success"; break;
    case EPERM: text = "Operation not permitted"; break;
    case ENOENT: text = "No such file or directory"; break;
    case ESRCH: text = "No such process"; break;
    case EINTR: text = "Interrupted system call"; break;
    case EAGAIN: text = "Resource temporarily unavailable"; break;
    case ENOMEM: text = "Cannot allocate memory"; break;
    case EACCES: text = "Permission denied"; break;
    case EBUSY: text = "Device or resource busy"; break;
    case EEXIST: text = "File exists"; break;
    case EINVAL: text = "Invalid argument"; break;
    case EDOM: text = "Numerical argument out of domain"; break;
    case ERANGE: text = "Numerical result out of range"; break;
    case EDEADLK: text = "Resource deadlock avoided"; break;
    case ENOSYS: text = "Function not implemented"; break;
    case EOVERFLOW: text = "Value too large for defined data type"; break;
    case ETIMEDOUT: text = "Connection timed out"; break;
    case ECANCELED: text = "Operation canceled"; break;
    case EOWNERDEAD: text = "Owner died"; break;
    default: break;
  }
  return const_cast<char*>(text);
}

// That of GNU, which need not use the buffer, and that of POSIX.
char* strerror_r(int code, char*, size_t) { return strerror(code); }
int __xpg_strerror_r(int code, char* buffer, size_t size) {
  const char* text = strerror(code);
  const size_t length = strlen(text);
  if (length >= size) return ERANGE;
  memcpy(buffer, text, length + 1);
  return 0;
}

}  // extern "C"
