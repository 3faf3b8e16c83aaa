package org.understudy.lab.torture.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.understudy.lab.torture.client.CounterMessages.Handle;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Outcome;

/**
 * A client without the stub. It sends each request to a replica of its choice, so that replicas other than the primary are asked
 * for everything. Updates and linearizable reads have no header of ours; a repeated update has the same wsa:MessageID. Some updates it
 * sends to two replicas at once, and some again after they were acknowledged. For session and local reads it sends the version handle
 * that it has seen.
 */
final class PlainClient implements CounterClient {
  private static final Duration CONNECT = Duration.ofMillis(500);
  private static final long PAUSE_MS = 50;
  /** Of the updates: those sent to two replicas at once, and of the others those repeated after they were acknowledged. */
  private static final int TWINS_PERCENT = 15;
  private static final int REPEATED_PERCENT = 10;
  /** Transactions after which an earlier one may be asked for again. The group knows the last 1,000 of all clients. */
  private static final int MAX_TRANSACTIONS = 8;
  private static final int ASKED_LATER_PERCENT = 20;

  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();
  private final List<URI> services;
  private final CounterContract contract;
  private final Duration deadline;
  private final Random random;
  /** Those that are not recorded yet. */
  private final Deque<PlainTransaction> transactions = new ArrayDeque<>();
  private Handle seen;

  /**
   * @param services the service at each replica
   * @param deadline of an update; shorter than the time for which the group keeps a MessageID
   */
  PlainClient(List<URI> services, CounterContract contract, Duration deadline, Random random) {
    this.services = services;
    this.contract = contract;
    this.deadline = deadline;
    this.random = random;
  }

  @Override
  public Attempt add(int counter, int amount) throws InterruptedException {
    String envelope = contract.addOnce("urn:uuid:" + UUID.randomUUID(), counter, amount);
    CompletableFuture<HttpResponse<String>> twin = random.nextInt(100) < TWINS_PERCENT
        ? send(anyReplica(), contract.path(counter), envelope, deadline.dividedBy(4)) : null;
    Attempt attempt = repeat(counter, envelope, twin == null, answer -> false);
    if (attempt.ended() == Outcome.OK) {
      sameAgain(counter, envelope, attempt.value(), twin);
    }
    return attempt;
  }

  /**
   * Sends an envelope to one replica after another until an answer has a value, or the deadline has passed.
   *
   * @param alone whether nothing else has been sent under its identity
   * @param ends whether an answer without a value is the last one: then the attempt is without effect, and names the replica
   */
  Attempt repeat(int counter, String envelope, boolean alone, Predicate<String> ends) throws InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    boolean none = alone;
    while (true) {
      int replica = anyReplica();
      try {
        String answer = post(replica, counter, envelope, Level.UPDATE, deadline.dividedBy(4));
        OptionalInt value = CounterMessages.result(answer);
        if (value.isPresent()) {
          return new Attempt(Outcome.OK, value.getAsInt(), replica);
        }
        if (ends.test(answer)) {
          return new Attempt(Outcome.FAIL, 0, replica);
        }
        none &= CounterMessages.notExecuted(answer);
      } catch (ConnectException | HttpConnectTimeoutException e) {
        // Nothing was sent.
      } catch (IOException e) {
        none = false;
      }
      if (System.nanoTime() > end) {
        return new Attempt(none ? Outcome.FAIL : Outcome.UNKNOWN, 0, 0);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }

  /** Other answers to the same request are the same result, if they are results. */
  private void sameAgain(int counter, String envelope, int value, CompletableFuture<HttpResponse<String>> twin)
      throws InterruptedException {
    try {
      if (twin != null) {
        same(value, twin.get().body());
      } else if (random.nextInt(100) < REPEATED_PERCENT) {
        same(value, post(anyReplica(), counter, envelope, Level.UPDATE, deadline.dividedBy(4)));
      }
    } catch (ExecutionException | IOException e) {
      // No answer: nothing to compare.
    }
  }

  private static void same(int value, String answer) {
    OptionalInt again = CounterMessages.result(answer);
    if (again.isPresent() && again.getAsInt() != value) {
      throw new IllegalStateException("One request, sent twice under one wsa:MessageID, was answered with " + value + " and with "
          + again.getAsInt() + ".");
    }
  }

  int anyReplica() {
    return random.nextInt(services.size()) + 1;
  }

  @Override
  public void transact(TransactionScript script, TransactionRecorder recorder) throws InterruptedException {
    if (transactions.size() == MAX_TRANSACTIONS) {
      PlainTransaction earlier = transactions.remove();
      try {
        if (random.nextInt(100) < ASKED_LATER_PERCENT) {
          earlier.askLater();
        }
      } finally {
        earlier.record();
      }
    }
    PlainTransaction transaction = new PlainTransaction(this, contract, deadline, recorder);
    transactions.add(transaction);
    transaction.run(script);
  }

  @Override
  public Attempt read(int counter, Level level) throws InterruptedException {
    int replica = anyReplica();
    try {
      String answer = post(replica, counter, contract.read(level == Level.LINEARIZABLE ? null : level, seen, counter), level,
          deadline.dividedBy(4));
      OptionalInt value = CounterMessages.result(answer);
      return value.isPresent() ? new Attempt(Outcome.OK, value.getAsInt(), replica) : new Attempt(Outcome.FAIL, 0, replica);
    } catch (IOException e) {
      return new Attempt(Outcome.FAIL, 0, replica);
    }
  }

  String post(int replica, int counter, String envelope, Level level, Duration patience)
      throws IOException, InterruptedException {
    String answer = post(replica, contract.path(counter), envelope, patience);
    Optional<String> wrong = contract.wrong(answer, counter, level);
    if (wrong.isPresent()) {
      throw new IllegalStateException("Replica " + replica + ": " + wrong.get());
    }
    return answer;
  }

  /** Sends an envelope to a path at a replica, and keeps the version in the answer. */
  String post(int replica, String path, String envelope, Duration patience) throws IOException, InterruptedException {
    String answer = post(http, services.get(replica - 1).resolve(path), envelope, patience);
    keepVersion(answer);
    return answer;
  }

  /** Keeps the version in an answer, if it is later than what was seen. */
  void keepVersion(String answer) {
    Handle handle = CounterMessages.handle(answer);
    if (handle != null) {
      seen = seen == null ? handle : seen.max(handle);
    }
  }

  /** Sends an envelope to a path at a replica. */
  CompletableFuture<HttpResponse<String>> send(int replica, String path, String envelope, Duration patience) {
    return http.sendAsync(request(services.get(replica - 1).resolve(path), envelope, patience), HttpResponse.BodyHandlers.ofString());
  }

  /** The path of the service. */
  String path() {
    return services.get(0).getRawPath();
  }

  /** Sends an envelope and returns the answer, whatever its status. */
  static String post(HttpClient http, URI to, String envelope, Duration patience) throws IOException, InterruptedException {
    return http.send(request(to, envelope, patience), HttpResponse.BodyHandlers.ofString()).body();
  }

  private static HttpRequest request(URI to, String envelope, Duration patience) {
    return HttpRequest.newBuilder(to).timeout(patience).header("Content-Type", "text/xml; charset=UTF-8")
        .header("SOAPAction", "\"\"").POST(HttpRequest.BodyPublishers.ofString(envelope)).build();
  }

  @Override
  public void close() {
    transactions.forEach(PlainTransaction::record);
    // Its connections close when it is garbage.
  }
}
