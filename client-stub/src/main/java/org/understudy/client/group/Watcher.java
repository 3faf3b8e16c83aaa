package org.understudy.client.group;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.client.transport.Answer;
import org.understudy.client.transport.Http;

/**
 * Holds one request open at the senior backup, which answers when there is another view: news of a failover without a
 * port of the client's. Renews the session when nothing else does. One daemon thread a group.
 */
final class Watcher implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);
  private static final int HOLD_SECONDS = 20;
  private static final long PAUSE_NANOS = 50_000_000;

  private final ReplicaGroup group;
  private final Http http;
  private Thread thread;
  private volatile HttpPost current;
  private int turn;

  Watcher(ReplicaGroup group, Http http) {
    this.group = group;
    this.http = http;
  }

  void start() {
    if (thread == null) {
      thread = new Thread(this, "understudy-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  void close() {
    HttpPost running = current;
    if (running != null) {
      running.cancel();
    }
    Thread running2 = thread;
    if (running2 != null) {
      LockSupport.unpark(running2);
    }
  }

  @Override
  public void run() {
    while (!group.isClosed()) {
      try {
        await();
        renew();
      } catch (IOException e) {
        turn++;
        LOG.debug("No replica to wait for a view at, yet: {}", e.getMessage());
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void await() throws IOException {
    List<URI> all = group.everybody();
    URI place = all.get((1 + turn) % all.size());
    String body =
        "<ur:AwaitView xmlns:ur=\"urn:understudy:replication:1\"><ur:Epoch>" + group.epoch()
            + "</ur:Epoch><ur:HoldSeconds>" + HOLD_SECONDS + "</ur:HoldSeconds></ur:AwaitView>";
    current = Operation.AWAIT_VIEW.post(place, body);
    Http.Response response = http.execute(current);
    Answer answer = Answer.ofMessage(response.body());
    if (response.status() != 200) {
      throw new IOException(place + " answers " + response.status());
    }
    if (answer.epoch > group.epoch()) {
      turn = 0;
    }
    group.learn(answer.epoch, answer.replicas);
  }

  private void renew() throws IOException {
    ClientSession session = group.currentSession();
    if (session != null && session.idleNanos() > session.leaseNanos() / 3) {
      String body =
          "<ur:RenewSession xmlns:ur=\"urn:understudy:replication:1\"><ur:Session>" + session.id()
              + "</ur:Session></ur:RenewSession>";
      http.execute(Operation.RENEW_SESSION.post(group.view().primary(), body));
    }
  }
}
