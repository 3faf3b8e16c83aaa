package org.understudy.channel.spread;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.understudy.thread.DaemonThreads;

/** The bytes of one session in both directions, recorded between a client and a real daemon, or replayed to a client. */
final class Transcript {
  private static final String RESOURCE = "session.transcript";

  /** @param fromDaemon or from the client */
  record Part(boolean fromDaemon, byte[] bytes) {}

  private final List<Part> parts = new ArrayList<>();

  /** What was recorded. */
  static Transcript recorded() throws IOException {
    Transcript transcript = new Transcript();
    try (InputStream in = Transcript.class.getResourceAsStream(RESOURCE)) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList()) {
        transcript.parts.add(new Part(line.startsWith("<"), Base64.getDecoder().decode(line.substring(2))));
      }
    }
    return transcript;
  }

  List<Part> parts() {
    synchronized (parts) {
      return List.copyOf(parts);
    }
  }

  /** All that the daemon sent. */
  byte[] fromDaemon() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.stream().filter(Part::fromDaemon).forEach(part -> all.writeBytes(part.bytes()));
    return all.toByteArray();
  }

  /** Records one session with a daemon. Returns where the client connects. */
  InetSocketAddress record(InetSocketAddress daemon) throws IOException {
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    start("recorder", () -> {
      try (ServerSocket listening = listener;
          Socket client = listening.accept();
          Socket to = new Socket(daemon.getAddress(), daemon.getPort())) {
        to.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        start("recorder-back", () -> {
          copy(client, to, false);
          return null;
        });
        copy(to, client, true);
      }
      return null;
    });
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  private void copy(Socket from, Socket to, boolean fromDaemon) throws IOException {
    byte[] buffer = new byte[300_000];
    InputStream in = from.getInputStream();
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      synchronized (parts) {
        parts.add(new Part(fromDaemon, Arrays.copyOf(buffer, count)));
      }
      to.getOutputStream().write(buffer, 0, count);
    }
  }

  /** Writes what was recorded, neighbouring parts of one direction as one. */
  void store(Path resources) throws IOException {
    StringBuilder text = new StringBuilder();
    synchronized (parts) {
      for (int i = 0; i < parts.size(); ) {
        boolean fromDaemon = parts.get(i).fromDaemon();
        ByteArrayOutputStream run = new ByteArrayOutputStream();
        for (; i < parts.size() && parts.get(i).fromDaemon() == fromDaemon; i++) {
          run.writeBytes(parts.get(i).bytes());
        }
        text.append(fromDaemon ? "< " : "> ").append(Base64.getEncoder().encodeToString(run.toByteArray())).append('\n');
      }
    }
    Files.writeString(resources.resolve("org/understudy/channel/spread/" + RESOURCE), text);
  }

  /** Plays the daemon for one session: expects exactly what the client sent, and sends what the daemon did. */
  InetSocketAddress replay(List<String> deviations) throws IOException {
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    start("replayed-daemon", () -> {
      try (ServerSocket listening = listener;
          Socket client = listening.accept()) {
        client.setTcpNoDelay(true);
        OutputStream out = client.getOutputStream();
        for (int i = 0; i < parts.size(); i++) {
          Part part = parts.get(i);
          if (part.fromDaemon()) {
            out.write(part.bytes());
          } else if (!Arrays.equals(part.bytes(), client.getInputStream().readNBytes(part.bytes().length))) {
            deviations.add("The client sent something else in part " + i + ".");
          }
        }
      }
      return null;
    });
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  private interface Task {
    Void run() throws IOException;
  }

  private static void start(String name, Task task) {
    DaemonThreads.daemon(name, () -> {
      try {
        task.run();
      } catch (IOException e) {
        // The end of a recorded session, which the test expects.
      }
    }).start();
  }
}
