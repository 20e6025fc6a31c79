// A write to the memory of the parent.
//! options: --pure process_vm_writev --pure getppid
//! outcome: error forbidden-call
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  char c = 0;
  struct iovec here = {&c, 1}, there = {(void *)0x401000, 1};
  return (int)process_vm_writev(getppid(), &here, 1, &there, 1, 0);
}
