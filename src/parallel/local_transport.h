// Workers that are processes of this machine.
//
// They are forked from this process, so they have the program at the same addresses, and share nothing that they write but
// what the task shares on purpose. Messages go over pairs of sockets (channel.h), requests through memory that both see. A worker
// that ends closes its socket: so its end is noticed, and how it came about is the status of the process.
#pragma once

#include "parallel/transport.h"

namespace heddle::parallel {

std::unique_ptr<Transport> localTransport(Task& task, unsigned workers);

}  // namespace heddle::parallel
