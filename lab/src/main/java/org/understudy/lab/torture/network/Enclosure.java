package org.understudy.lab.torture.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.understudy.thread.DaemonThreads;

/**
 * Runs a program with a network, a file system's mounts and processes of its own. When the program ends, however it ends, the
 * kernel kills all processes that it started and removes all namespaces and links: nothing needs to be cleaned up, and runs at the
 * same time do not meet.
 */
public final class Enclosure {
  private static final String MARK = "understudy.enclosure";
  private static final String UNSHARE = "unshare --net --mount --pid --fork --kill-child --mount-proc ";

  private Enclosure() {}

  /** Whether this program runs in an enclosure. */
  public static boolean inside() {
    return Boolean.getBoolean(MARK);
  }

  /** Returns why this machine permits no enclosure, or nothing if it does. */
  public static Optional<String> unavailable() throws InterruptedException {
    if (!"0".equals(userId())) {
      return Optional.of("network namespaces need root. Run it as root, for example with sudo.");
    }
    for (String program : List.of("unshare --version", "ip -V", "tc -V")) {
      if (!Shell.succeeds(program)) {
        return Optional.of(program.split(" ")[0] + " is missing. Install util-linux and iproute2.");
      }
    }
    if (!Shell.succeeds(UNSHARE + "ip link add probe type bridge")) {
      return Optional.of("this machine permits no network namespaces or bridges, as in a container without privileges.");
    }
    return Optional.empty();
  }

  private static String userId() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "none: " + e;
    }
  }

  /**
   * Runs a main class of this class path in an enclosure, and returns its status. Its output is that of this process. It also ends
   * when this process does.
   */
  public static int run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
    return run(true, main, arguments);
  }

  /**
   * The same without namespaces, which needs no privileges. The program ends the processes that it started when it ends or this process
   * does ({@link #endWithParent}), unless it is killed by SIGKILL.
   */
  public static int runWithoutNamespaces(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
    return run(false, main, arguments);
  }

  private static int run(boolean namespaces, Class<?> main, List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(namespaces ? Arrays.asList(UNSHARE.strip().split(" ")) : List.of());
    String logging = System.getProperty("java.util.logging.config.file");
    command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-D" + MARK + "=true", "-Xmx512m",
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true", "-Dsun.net.http.retryPost=false"));
    if (logging != null) {
      command.add("-Djava.util.logging.config.file=" + logging);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // Without namespaces, the program has to kill its processes before it ends.
    Thread end = new Thread(namespaces ? process::destroyForcibly : process::destroy, "torture-end");
    Runtime.getRuntime().addShutdownHook(end);
    process.getInputStream().transferTo(System.out);
    int status = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(end);
    return status;
  }

  /**
   * Ends this process when the one that called {@link #run} ends: then nothing holds the other end of its input. However it ends, but by
   * SIGKILL, it kills the processes that it started.
   */
  public static void endWithParent() {
    Runtime.getRuntime().addShutdownHook(
        new Thread(() -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly), "torture-kill"));
    DaemonThreads.daemon("parent", () -> {
      try {
        while (System.in.read() >= 0) {
          // Nothing is sent.
        }
      } catch (IOException e) {
        // As if it had ended.
      }
      System.exit(1);
    }).start();
  }
}
