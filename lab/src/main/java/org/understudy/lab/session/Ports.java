package org.understudy.lab.session;

/**
 * Where the servers listen, on loopback.
 *
 * @param base of all set-ups
 */
record Ports(int base) {
  private static final int OF_A_SETUP = 10;
  /** From a server's port for clients to the one for other servers. */
  private static final int PEERS = 1_000;

  /** The port of a server, from 1, for clients. */
  int http(Setup setup, int server) {
    return base + setup.ordinal() * OF_A_SETUP + server;
  }

  /** The port of a server for the other ones. */
  int peer(Setup setup, int server) {
    return http(setup, server) + PEERS;
  }
}
