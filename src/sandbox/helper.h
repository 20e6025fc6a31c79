// The helper: a small process outside of the sandbox, which opens files for those within.
//
// It is forked before anything is compiled, so it is small, and it never sees the program. A process that enters the sandbox connects to
// it and says which files it will need; after that the list is closed. Requests and answers are single messages, and a client
// waits for the answer. Requests are made in a signal handler: a client allocates nothing.
#pragma once

#include <string>
#include <vector>

namespace heddle::sandbox {

struct Access;

// Starts it, if there is none.
void startHelper();
// Waits for its end, which comes when all clients are gone. In the process that has started it, as the last thing.
void awaitHelper();

// A client's end, after the list has been sent. -1: there is no helper.
int connectHelper(const Access& access);

// What openat, unlink, rename and kill would return for absolute or relative paths: a negative number is an error of errno.
int openByHelper(int connection, const char* path, int flags, unsigned mode);
int unlinkByHelper(int connection, const char* path);
int renameByHelper(int connection, const char* from, const char* to);
int killByHelper(int connection, int process);

}  // namespace heddle::sandbox
