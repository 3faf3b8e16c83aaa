package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.group.GroupMessage.RenewalQuery;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.ArrayWriter;
import org.understudy.replication.core.wire.WireVersions;

/** A member answers a renewal when the sequencer has it. */
class RenewalQueryTest {
  private final Members members = new Members(Limits.DEFAULTS);

  private long renew(SessionId session, long nonce) {
    return members.ask(
        3,
        new Request(
            new RequestKey.OfSession(session, 0), 0, Request.Kind.RENEW_SESSION, null, VersionHandle.INITIAL, 0, "",
            "caller " + nonce));
  }

  private List<RenewalQuery> sent() {
    return members.node(3).sent.stream().filter(RenewalQuery.class::isInstance).map(RenewalQuery.class::cast).toList();
  }

  @Test
  void renewalIsNotAnsweredUntilTheSequencerHasIt() {
    SessionId first = members.open(1, 1);
    SessionId second = members.open(2, 2);
    members.lose(message -> message instanceof RenewalQuery);
    long one = renew(first, 1);
    long other = renew(second, 2);
    members.deliver();
    members.run(20);
    assertNull(members.answer(one));
    members.lose(message -> false);
    members.run(40);
    assertInstanceOf(Reply.class, members.answer(one));
    assertInstanceOf(Reply.class, members.answer(other));
    assertEquals(List.of(first), sent().get(0).sessions());
    assertTrue(sent().stream().anyMatch(query -> query.sessions().contains(second)), "in the next query");
  }

  @Test
  void queryIsReadAsItWasWritten() {
    RenewalQuery query = new RenewalQuery(7, 5, List.of(new SessionId(1, -2), new SessionId(3, 4)));
    ArrayWriter out = new ArrayWriter(0);
    query.write(out);
    byte[] bytes = out.toBytes();
    assertTrue(bytes.length <= query.encodedBytes());
    assertEquals(query, RenewalQuery.KIND.reader().read(7, new ArrayReader(bytes, 0, bytes.length, WireVersions.CURRENT)));
  }
}
