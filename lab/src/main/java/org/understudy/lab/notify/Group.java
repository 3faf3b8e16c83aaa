package org.understudy.lab.notify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.UnknownCounter;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.Progress;

/** Three fresh replicas, the stub's group at them, and the counter whose subscribers are measured. Used by one thread. */
final class Group implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);

  private static final QName VALUE = new QName("http://counter.com", "Value");

  /** Fewer than the queue limit of one consumer, or a warm-up could end its own subscription. */
  private static final int WARM_UP_BATCH = 100;

  private final Cluster cluster;
  private final SinkProcess sinks;
  private final Subscriber subscriber = new Subscriber();
  private final FaultTolerantGroup clients;
  private Counter counter;

  Group(Cluster cluster, List<String> settings, SinkProcess sinks) throws IOException, InterruptedException {
    this.cluster = cluster;
    this.sinks = sinks;
    List<String> words = new ArrayList<>(List.of("up"));
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    cluster.run(words.toArray(new String[0]));
    cluster.awaitWhole();
    clients = FaultTolerant.group(FaultTolerance.ofDefaults(cluster.services()));
  }

  Cluster cluster() {
    return cluster;
  }

  Counter newCounter() throws IOException {
    return new Counter(clients);
  }

  /** The counter of the last {@link #subscribe}. */
  Counter counter() {
    return counter;
  }

  /** The process of the replica that is primary. */
  ProcessHandle primary() throws IOException, InterruptedException {
    long pid = cluster.pid(cluster.awaitWhole());
    return ProcessHandle.of(pid).orElseThrow(() -> new IOException("The primary, process " + pid + ", has ended."));
  }

  /** Makes a counter and subscribes so many consumers to its value. */
  void subscribe(int consumers) throws IOException, InterruptedException {
    counter = newCounter();
    sinks.open(consumers);
    subscriber.subscribe(counter.address(), VALUE, sinks.addresses(), Progress.of("Subscribing"));
  }

  /** Updates a counter with one subscriber, each batch when the last one has arrived. */
  void warmUp(int updates) throws IOException, InterruptedException, UnknownCounter {
    subscribe(1);
    for (int done = 0; done < updates; done += WARM_UP_BATCH) {
      int batch = Math.min(WARM_UP_BATCH, updates - done);
      sinks.expect(counter.next() + batch - 1);
      for (int i = 0; i < batch; i++) {
        counter.add();
      }
      sinks.await(LIMIT);
    }
  }

  /** One update, and when each healthy consumer had it. */
  Update update() throws IOException, UnknownCounter {
    sinks.expect(counter.next());
    long begin = System.nanoTime();
    counter.add();
    long end = System.nanoTime();
    return new Update(begin, end, sinks.await(LIMIT));
  }

  /**
   * What healthy consumers got so far.
   *
   * @throws IOException when one of them missed a value
   */
  SinkProcess.Account account() throws IOException {
    SinkProcess.Account account = sinks.account();
    if (account.gaps() > 0 || account.strays() > 0) {
      throw new IOException("Notifications were lost, came too late or were not what was subscribed to: " + account + ".");
    }
    return account;
  }

  /** The times of an update. */
  record Update(long begin, long end, long[] arrivals) {}

  @Override
  public void close() throws IOException {
    clients.close();
    try {
      cluster.run("down");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the replicas stop.");
    }
  }
}
