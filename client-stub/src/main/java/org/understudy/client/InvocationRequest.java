package org.understudy.client;

import java.net.URI;
import java.time.Duration;
import org.understudy.client.connection.Attempt;
import org.understudy.client.invocation.RequestTemplate;
import org.understudy.client.session.SeenVersions;
import org.understudy.client.session.Session;
import org.understudy.client.view.KnownViews;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.HeaderBlock;

/** An invocation under its sequence number; each attempt gets its own replication header. */
final class InvocationRequest implements RequestTemplate {
  private final Invocation invocation;
  private final Session session;
  private final long sequence;
  private final SeenVersions versions;
  private final KnownViews views;
  private final String readLevel;

  InvocationRequest(Invocation invocation, Session session, long sequence, SeenVersions versions, KnownViews views) {
    this.invocation = invocation;
    this.session = session;
    this.sequence = sequence;
    this.versions = versions;
    this.views = views;
    ReadLevel level = invocation.readLevel();
    this.readLevel = level == null ? null : level.wireName();
  }

  @Override
  public Attempt attempt(URI replica, int number, boolean forward) {
    // A new block for each attempt, because an aborted attempt may still be writing the last one.
    HeaderBlock block = new HeaderBlock();
    block.inTransaction(invocation.transaction());
    block.write(session.id(), sequence, session.window().ackBelow(), versions.all(), views.highestEpoch(), number,
        readLevel, forward);
    OutgoingMessage.Sent sent = invocation.message().attempt(invocation.resource().headerBlocks(), block);
    Attempt attempt = new Attempt(
        replica, invocation.resource().at(replica), invocation.access(), sent.contentType(), sent.http().fields(), sent.content());
    if (sent.http().authorization() != null) {
      attempt.authorized(sent.http().authorization());
    }
    if (invocation.timeouts().connect() != null) {
      attempt.connectingWithin(invocation.timeouts().connect());
    }
    return attempt;
  }

  @Override
  public Duration patience(Duration left, Duration usual) {
    return invocation.timeouts().patience(left, usual);
  }

  /** A call of a transaction is not: it runs where the transaction is open. */
  @Override
  public boolean isFitForTrial() {
    return invocation.transaction() == null && invocation.message().isShort();
  }
}
