// fscanf of files, by the names that programs have for it. <stdio.h> has names of its own, so it is not included.

#include <stdarg.h>

struct _IO_FILE;

extern "C" {

int heddle_stream_scan(_IO_FILE* file, const char* format, va_list* arguments);  // of file_streams.cpp

#define FSCANF(name, ofList)                                          \
  int ofList(_IO_FILE* file, const char* format, va_list arguments) { \
    va_list own;                                                      \
    va_copy(own, arguments);                                          \
    const int result = heddle_stream_scan(file, format, &own);        \
    va_end(own);                                                      \
    return result;                                                    \
  }                                                                   \
  int name(_IO_FILE* file, const char* format, ...) {                 \
    va_list arguments;                                                \
    va_start(arguments, format);                                      \
    const int result = heddle_stream_scan(file, format, &arguments);  \
    va_end(arguments);                                                \
    return result;                                                    \
  }
FSCANF(fscanf, vfscanf)
FSCANF(__isoc99_fscanf, __isoc99_vfscanf)
FSCANF(__isoc23_fscanf, __isoc23_vfscanf)
#undef FSCANF

}  // extern "C"
