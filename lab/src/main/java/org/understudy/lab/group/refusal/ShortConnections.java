package org.understudy.lab.group.refusal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Loads servers with clients that connect for each request, and send the next one when they have the response or an error. One thread, the
 * caller's, does all. Linux drops the connections that a full queue cannot take, and does not refuse them, so a connection that is not
 * made within a second counts as refused. Not thread-safe.
 */
final class ShortConnections {
  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RESPONSE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long TICK_MS = 20;
  private static final int BUFFER_BYTES = 16 << 10;
  /** The part of the time in which all clients have begun: so they do not all begin at once. */
  private static final int RAMP = 4;

  private final List<ShortClient> clients;
  private final Selector selector;
  private final RefusalPoint point;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  /** That have no request in progress and may begin one. */
  private final Queue<ShortClient> idle = new ArrayDeque<>();
  private long end;
  private int busy;

  private ShortConnections(List<ShortClient> clients, Selector selector, RefusalPoint point) {
    this.clients = clients;
    this.selector = selector;
    this.point = point;
  }

  /**
   * Runs the clients. Returns when all requests have ended, at most 21 s after the last one could begin.
   *
   * @param millis for which clients begin requests; each begins one, however busy the machine is
   * @throws IOException when there is no selector
   */
  static RefusalPoint run(List<ShortClient> clients, long millis) throws IOException {
    RefusalPoint point = new RefusalPoint(millis);
    try (Selector selector = Selector.open()) {
      new ShortConnections(clients, selector, point).run(TimeUnit.MILLISECONDS.toNanos(millis));
    } finally {
      clients.forEach(ShortClient::close);
    }
    return point;
  }

  private void run(long nanos) throws IOException {
    long begin = System.nanoTime();
    end = begin + nanos;
    long checked = begin;
    int started = 0;
    for (long now = begin; now < end || busy > 0 || started < clients.size(); now = System.nanoTime()) {
      long due = Math.min(clients.size(), (now - begin) * RAMP * clients.size() / nanos + 1);
      while (started < due) {
        begin(clients.get(started++));
      }
      beginAll(now);
      selector.select(this::proceed, idle.isEmpty() || now >= end ? TICK_MS : 1);
      if (now - checked > TimeUnit.MILLISECONDS.toNanos(TICK_MS)) {
        checked = now;
        for (ShortClient client : clients) {
          ended(client, client.expire(now, CONNECT_NANOS, RESPONSE_NANOS));
        }
      }
    }
  }

  private void beginAll(long now) {
    // Each once: those that are refused at once begin again after the selector has been asked.
    for (int waiting = now < end ? idle.size() : 0; waiting > 0; waiting--) {
      begin(idle.remove());
    }
  }

  private void begin(ShortClient client) {
    busy++;
    ended(client, client.begin(selector, System.nanoTime()));
  }

  private void proceed(SelectionKey key) {
    ShortClient client = (ShortClient) key.attachment();
    ended(client, client.proceed(key, buffer, System.nanoTime()));
  }

  private void ended(ShortClient client, ShortClient.Result result) {
    if (result == ShortClient.Result.UNFINISHED) {
      return;
    }
    long now = System.nanoTime();
    if (result == ShortClient.Result.REDIRECTED) {
      ended(client, client.again(selector, now));
      return;
    }
    switch (result) {
      case ANSWERED -> point.answered(now - client.begun(), now <= end);
      case REFUSED -> point.refused();
      default -> point.failed(client.reason());
    }
    busy--;
    idle.add(client);
  }
}
