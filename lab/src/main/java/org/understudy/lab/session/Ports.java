package org.understudy.lab.session;

/** Where the servers listen, on loopback. */
interface Ports {
  /** The port of a server, from 1, for clients. */
  int http(Setup setup, int server);

  /** The port of a server for the other ones. */
  int peer(Setup setup, int server);

  /**
   * Ten ports for each set-up from a base on, and 1000 above them those between servers.
   *
   * @param base of all set-ups
   */
  static Ports from(int base) {
    return new Ports() {
      @Override
      public int http(Setup setup, int server) {
        return base + setup.ordinal() * 10 + server;
      }

      @Override
      public int peer(Setup setup, int server) {
        return http(setup, server) + 1_000;
      }
    };
  }
}
