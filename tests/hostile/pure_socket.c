// A connection to the network.
//! options: --pure socket
//! outcome: error forbidden-call
#include <sys/socket.h>
int main(void) { return socket(AF_INET, SOCK_STREAM, 0); }
