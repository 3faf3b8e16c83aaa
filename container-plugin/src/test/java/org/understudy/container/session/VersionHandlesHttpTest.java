package org.understudy.container.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.NotebookService;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** Session reads at any replica of a group: none shows less than its client has seen, or another one that it has heard of. */
class VersionHandlesHttpTest {
  private static final int ROUNDS = 15;

  private final List<FaultTolerantGroup> clients = new ArrayList<>();
  private ServiceCluster site;

  @BeforeEach
  void open() throws Exception {
    site = ServiceCluster.shared(NotebookService.class, 3, Map.of("understudy.strategy", "group"));
    for (int replica = 1; replica <= 3; replica++) {
      site.awaitReady(replica);
    }
    Condition.await("an empty notebook", () -> site.call(1, Soap.envelope("", Soap.notebook("clear", null))).status() == 200);
  }

  @AfterEach
  void close() throws Exception {
    clients.forEach(FaultTolerantGroup::close);
    site.close();
  }

  private FaultTolerantGroup client(long seed) {
    List<URI> addresses = List.of(site.uri(1, site.service()), site.uri(2, site.service()), site.uri(3, site.service()));
    FaultTolerantGroup group =
        FaultTolerant.group(
            FaultTolerance.custom().replicas(addresses).readLevel(ReadLevel.SESSION).jitter(new SplittableRandom(seed)).build());
    clients.add(group);
    return group;
  }

  private static Notebook notebook(FaultTolerantGroup group) {
    return group.client(Notebook.class, null);
  }

  private Answer read(int replica, VersionHandle seen) {
    return site.call(
        replica,
        Soap.envelope(
            Soap.header("<VersionHandle>" + seen + "</VersionHandle><ReadLevel>session</ReadLevel>"), Soap.notebook("text", null)));
  }

  private int length(int replica, VersionHandle seen) {
    Answer answer = read(replica, seen);
    assertEquals(200, answer.status(), answer.text());
    VersionHandle shown = VersionHandle.parse(answer.between("<ur:VersionHandle>", "</ur:VersionHandle>"));
    assertTrue(!seen.isAfter(shown), shown + " after " + seen);
    return answer.between("<return>", "</return>").length();
  }

  @Test
  void readsAtEveryReplicaShowWhatTheClientHasWritten() {
    FaultTolerantGroup writer = client(1);
    Notebook notebook = notebook(writer);
    for (int i = 1; i <= ROUNDS; i++) {
      notebook.append("a");
      for (int replica = 1; replica <= 3; replica++) {
        assertEquals(i, length(replica, writer.versions().ofGroup()), "at replica " + replica);
      }
    }
  }

  @Test
  void aClientThatGetsTheHandlesOfAnotherOneSeesAsMuch() {
    FaultTolerantGroup writer = client(1);
    Notebook notebook = notebook(writer);
    List<FaultTolerantGroup> readers = List.of(client(2), client(3), client(4));
    for (int i = 1; i <= ROUNDS; i++) {
      notebook.append("a");
      for (FaultTolerantGroup reader : readers) {
        reader.mergeVersions(VersionHandles.parse(writer.versions().toString()));
        assertEquals(i, notebook(reader).text().length());
      }
    }
  }

  @Test
  void readsDoNotGoBackOverAFailover() throws Exception {
    FaultTolerantGroup writer = client(1);
    Notebook notebook = notebook(writer);
    FaultTolerantGroup reader = client(2);
    int written = 0;
    for (int stopped : new int[] {1, 2}) {
      for (int i = 0; i < ROUNDS; i++) {
        if (i == ROUNDS / 2) {
          site.stop(stopped);
        }
        notebook.append("a");
        written++;
        reader.mergeVersions(writer.versions());
        assertEquals(written, notebook(reader).text().length());
      }
      site.start(stopped);
      site.awaitReady(stopped);
      for (int replica = 1; replica <= 3; replica++) {
        assertEquals(written, length(replica, reader.versions().ofGroup()), "at replica " + replica);
      }
    }
  }

  @Test
  void aHandleOfNoStateIsRefusedAtEveryReplica() {
    FaultTolerantGroup writer = client(1);
    notebook(writer).append("a");
    VersionHandle seen = writer.versions().ofGroup();
    List<VersionHandle> forged =
        List.of(
            VersionHandle.ofGroup(VersionHandle.MAX, VersionHandle.MAX), VersionHandle.ofGroup(0, VersionHandle.MAX),
            VersionHandle.ofGroup(seen.epoch(), seen.position() + 1_000_000));
    for (VersionHandle handle : forged) {
      for (int replica = 1; replica <= 3; replica++) {
        Answer refused = read(replica, handle);
        assertEquals("BadRequest", refused.between("<ur:Code>", "</ur:Code>"));
        assertEquals("no", refused.between("<ur:Executed>", "</ur:Executed>"));
        assertTrue(refused.text().contains("The version handle " + handle + " is of no state of this group"), refused.text());
      }
    }
    // An old handle is one that a slow client has.
    assertEquals(1, length(2, VersionHandle.INITIAL));
    FaultTolerantGroup deceived = client(2);
    deceived.mergeVersions(VersionHandles.NONE.with(forged.get(2)));
    WebServiceException thrown = assertThrows(WebServiceException.class, () -> notebook(deceived).text());
    InvocationFailedException failed = InvocationFailedException.in(thrown).orElseThrow();
    assertEquals(FailureCode.BadRequest, failed.code().orElseThrow());
    assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
  }
}
