package org.understudy.container.transaction;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.connection.ConnectionSettings;
import org.understudy.notification.connection.HttpAnswer;
import org.understudy.notification.connection.HttpConnections;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.notification.operation.ResourceIds;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.envelope.SoapVersion;

/** Sends messages about transactions to the configured groups, and to nobody else. Thread-safe; does not block. */
final class PeerGroups implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerGroups.class);
  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int MAX_ANSWER = 16 << 10;
  /** Messages under way to one group. */
  private static final int MAX_SENDING = 256;

  private final String self;
  private final Map<String, List<URI>> addresses;
  private final byte[] secret;
  private final HttpConnections connections;
  private final PeerRefusals refusals = new PeerRefusals();
  private final Failpoint.Replicated failpoints;
  /** Where each group answered last. */
  private final Map<String, Integer> places = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> sending = new ConcurrentHashMap<>();

  PeerGroups(
      String self,
      Map<String, List<URI>> addresses,
      byte[] secret,
      TrustAnchors trust,
      ScheduledExecutorService timer,
      Failpoint.Replicated failpoints) {
    this.self = self;
    this.failpoints = failpoints;
    this.addresses = Map.copyOf(addresses);
    this.secret = secret.clone();
    this.connections = new HttpConnections(new ConnectionSettings(1, CONNECT, ANSWER, true, MAX_ANSWER, true, trust), timer);
  }

  boolean contains(String group) {
    return addresses.containsKey(group);
  }

  List<String> addresses(String group) {
    return addresses.getOrDefault(group, List.of()).stream().map(URI::toString).toList();
  }

  PeerMessage read(byte[] envelope) throws RefusedCallException {
    PeerMessage message = PeerMessage.read(envelope, secret, self);
    if (!contains(message.from())) {
      throw OpenTransaction.refused(
          FailureCode.BadRequest,
          "The group " + message.from() + " is not listed in understudy.transaction.peers. Nothing was executed.");
    }
    return message;
  }

  byte[] answer(PeerMessage message, String answer) {
    return message.answer(secret, answer);
  }

  /**
   * Sends a message to a group, at one address after the other.
   *
   * @return the authenticated answer; null when there is none, or the same message is under way
   */
  CompletableFuture<String> send(PeerMessage.Kind kind, String group, String transaction, String part) {
    failpoints.reached(Failpoint.sending(kind), transaction);
    List<URI> all = addresses.get(group);
    CompletableFuture<String> result = new CompletableFuture<>();
    Set<String> underWay = sending.computeIfAbsent(group, name -> ConcurrentHashMap.newKeySet());
    String name = kind + " " + transaction;
    if (all == null || underWay.size() >= MAX_SENDING || !underWay.add(name)) {
      result.complete(null);
      return result;
    }
    result.whenComplete((answer, failed) -> underWay.remove(name));
    PeerMessage message = new PeerMessage(kind, ResourceIds.next(), group, self, transaction, part);
    send(message, all, places.getOrDefault(group, 0), all.size(), result);
    return result;
  }

  private void send(PeerMessage message, List<URI> all, int place, int tries, CompletableFuture<String> result) {
    URI address = all.get(place % all.size());
    connections.post(
        address, SoapVersion.SOAP11, ReplicationNames.action(TransactionOperation.MESSAGE.element().getLocalPart()),
        List.of(message.envelope(secret)),
        new HttpConnections.Outcome() {
          @Override
          public void answered(HttpAnswer answer) {
            String content = answer.status() == 200 ? message.answerIn(answer.body(), secret) : null;
            if (content == null) {
              refusals.answered(message.to(), address, answer.body());
              failed("HTTP status " + answer.status() + ", without a true proof");
            } else {
              places.put(message.to(), place % all.size());
              result.complete(content);
            }
          }

          @Override
          public void failed(String why) {
            LOG.debug("The group {} has not answered {} at {}: {}", message.to(), message.kind(), address, why);
            if (tries > 1) {
              send(message, all, place + 1, tries - 1, result);
            } else {
              result.complete(null);
            }
          }
        });
  }

  void closeIdle() {
    connections.closeIdle();
  }

  @Override
  public void close() {
    connections.close();
  }
}
