package org.understudy.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.apache.cxf.helpers.FileUtils;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.SuspicionTime;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.strategy.Strategies;
import org.understudy.wsrf.contract.DeclaredFaults;

/** A cluster of one of the services of these tests, or of a broker, where that is on the class path. */
public final class ServiceCluster extends TestCluster {
  private static final int MAX_IDLE = 5;
  private static final Path CLUSTERS = Path.of("target", "clusters").toAbsolutePath();
  /** Least recently used first. */
  private static final List<ServiceCluster> IDLE = new ArrayList<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ServiceCluster::closeIdle, "shared clusters"));
  }

  /** What makes two shared clusters equal. */
  private record Shape(Class<?> service, int replicas, Map<String, String> more, String strategy, boolean noticesSilence) {
    static Shape of(Class<?> service, int replicas, Map<String, String> more) {
      return new Shape(service, replicas, Map.copyOf(more), Strategies.current(), SuspicionTime.isOfTheProduct());
    }
  }

  private final Class<?> service;
  private final Shape shape;
  private final Path directory;

  /**
   * Starts a group of the test's own.
   *
   * @param service null for a broker
   * @param more settings beyond those that every replica needs
   */
  public ServiceCluster(Path directory, Class<?> service, int replicas, Map<String, String> more) throws Exception {
    this(directory, Shape.of(service, replicas, Map.of()), more, false);
  }

  private ServiceCluster(Path directory, Shape shape, Map<String, String> more, boolean shared) throws Exception {
    super(directory, new ServiceApplication(shape.service), shape.replicas, more);
    this.service = shape.service;
    this.shape = shared ? shape : null;
    this.directory = directory;
  }

  /**
   * Returns a group that tests use one after the other: closing it leaves it running for the next test, unless a replica was
   * stopped or started. Its resources, subscriptions and sessions of earlier tests are still there.
   *
   * @param service null for a broker
   * @param more settings beyond those that every replica needs
   */
  public static ServiceCluster shared(Class<?> service, int replicas, Map<String, String> more) throws Exception {
    Shape shape = Shape.of(service, replicas, more);
    synchronized (IDLE) {
      for (ServiceCluster idle : IDLE) {
        if (idle.shape.equals(shape)) {
          IDLE.remove(idle);
          return idle;
        }
      }
    }
    Path directory = Files.createTempDirectory(Files.createDirectories(CLUSTERS), "shared-");
    Map<String, String> settings = new TreeMap<>(more);
    settings.putIfAbsent("understudy.group", directory.getFileName().toString());
    return new ServiceCluster(directory, shape, settings, true);
  }

  @Override
  public void close() throws LifecycleException {
    if (shape == null) {
      super.close();
    } else if (disturbed()) {
      end();
    } else {
      awaitNothingLeft();
      ServiceCluster evicted = null;
      synchronized (IDLE) {
        IDLE.add(this);
        if (IDLE.size() > MAX_IDLE) {
          evicted = IDLE.remove(0);
        }
      }
      if (evicted != null) {
        evicted.end();
      }
    }
  }

  /** The next test finds no request in progress, no memory that is held for one, and no temporary file of one. */
  private void awaitNothingLeft() {
    for (int replica = 1; replica <= shape.replicas; replica++) {
      int number = replica;
      Condition.await(
          () -> "replica " + number + " to have no request in progress: " + health(number, "live").body(),
          () -> health(number, "live").body().matches("(?s).*\"heldBytes\":0,.*\"load\":0,.*"));
    }
    Condition.await(() -> "the end of the temporary files " + temporaryFiles(), () -> temporaryFiles().isEmpty());
  }

  /** Those in which CXF keeps large messages and attachments. */
  private static List<String> temporaryFiles() {
    String[] files = FileUtils.getDefaultTempDir().list((directory, name) -> name.startsWith("cos"));
    return files == null ? List.of() : List.of(files);
  }

  private void end() throws LifecycleException {
    super.close();
    delete();
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void closeIdle() {
    synchronized (IDLE) {
      for (ServiceCluster idle : IDLE) {
        try {
          idle.stopAll();
          idle.delete();
        } catch (LifecycleException | UncheckedIOException e) {
          System.err.println("A shared cluster does not stop: " + e);
        }
      }
    }
  }

  /** The path of the service. */
  public String service() {
    return "/services/" + (service == null ? "NotificationBroker" : service.getSimpleName());
  }

  /** Calls the service. */
  public Answer call(int number, String envelope) {
    return post(number, service(), envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  /** Calls the service without waiting. */
  public CompletableFuture<Answer> callLater(int number, String envelope) {
    return postLater(number, service(), envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  /** As of the cluster; a fault of a standard that the operation's contract does not declare fails the test. */
  @Override
  public CompletableFuture<Answer> postLater(int number, String path, byte[] body, String... typeAndHeaders) {
    return super.postLater(number, path, body, typeAndHeaders)
        .thenApply(answer -> {
          if (answer.status() >= 400) {
            DeclaredFaults.check(body, answer.bytes());
          }
          return answer;
        });
  }

  /** Opens a session at the primary. */
  public String openSession() {
    return open().between("<ur:Session>", "</ur:Session>");
  }

  /** Opens a session and returns the epoch that it is told. */
  public String openSessionView() {
    return open().between("<ur:View><ur:Epoch>", "</ur:Epoch>");
  }

  private Answer open() {
    String body = "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>"
        + String.format("%016x%016x", System.nanoTime(), Thread.currentThread().getId()) + "</Nonce></OpenSession>";
    return post(primary(), "/replication", Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml");
  }
}
