// How the servers of the benchmark listen: on 127.0.0.1, without blocking.

#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

// Defined by each program, which names itself in it.
static void die(const char *what);

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Port 0 picks a free one.
static int listen_on(int port, int *bound_port) {
  struct sockaddr_in address = loopback(port);
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, length) != 0) die("cannot bind the port");
  if (listen(listener, SOMAXCONN) != 0) die("cannot listen");
  if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) die("cannot read the port");
  fcntl(listener, F_SETFL, O_NONBLOCK);
  *bound_port = ntohs(address.sin_port);
  return listener;
}
