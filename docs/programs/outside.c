#include <assert.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  assert(child >= 0);
}
