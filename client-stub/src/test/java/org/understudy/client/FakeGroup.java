package org.understudy.client;

import com.sun.net.httpserver.HttpsConfigurator;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.understudy.replication.api.FailureCode;

/** Fake replicas that share one counter, one reply table and one view: enough of docs/wire.md to test a client. */
final class FakeGroup implements AutoCloseable {
  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  final List<FakeReplica> replicas = new ArrayList<>();
  private final Map<String, Integer> replies = new HashMap<>();
  private final Map<String, String> sessions = new HashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private long epoch = 1;
  private int primary = 1;
  private int value;
  private int executions;
  private int leaseSeconds = 600;
  private boolean watched = true;
  private String alsoTold = "";
  private boolean allServe;
  /** The number of the replica that is outside the view; 0 for none. */
  private int outside;

  FakeGroup(int size) {
    this(size, null);
  }

  FakeGroup(int size, HttpsConfigurator tls) {
    for (int id = 1; id <= size; id++) {
      replicas.add(new FakeReplica(this, id, tls));
    }
  }

  FakeReplica replica(int id) {
    return replicas.get(id - 1);
  }

  List<URI> addresses() {
    return replicas.stream().map(replica -> replica.address).toList();
  }

  FaultTolerance.Builder config() {
    return FaultTolerance.custom().replicas(addresses()).jitter(new java.util.SplittableRandom(1));
  }

  /** Lets AwaitView fail, so that a client hears of nothing that way. */
  synchronized void unwatched() {
    watched = false;
    notifyAll();
  }

  synchronized void lease(int seconds) {
    leaseSeconds = seconds;
  }

  /** Lets every replica execute, and says so in views. */
  synchronized void allServe() {
    allServe = true;
  }

  /** Leaves a replica out of views, or none if the number is 0; installs such a view. */
  synchronized void leaveOut(int replica) {
    outside = replica;
    install(epoch + 1, primary);
  }

  /** Further elements of each result's replication header. */
  synchronized void alsoTells(String elements) {
    alsoTold = elements;
  }

  synchronized void install(long newEpoch, int newPrimary) {
    epoch = newEpoch;
    primary = newPrimary;
    notifyAll();
  }

  synchronized void expireSessions() {
    sessions.clear();
  }

  synchronized int executions() {
    return executions;
  }

  synchronized int openSessions() {
    return sessions.size();
  }

  synchronized void signal() {
    notifyAll();
  }

  void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a condition on what the replicas have seen. */
  synchronized void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("Not within 30 s: " + what);
        }
        wait(20);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a sound replica does: execute at the primary, once; point there from elsewhere. */
  synchronized Reaction serve(FakeReplica at, Received call) {
    if (at.id != primary && !allServe) {
      return refuse(FailureCode.NotPrimary, "no");
    }
    return execute(call);
  }

  synchronized Reaction execute(Received call) {
    if (!sessions.containsValue(call.text("Session"))) {
      return refuse(FailureCode.SessionExpired, "no");
    }
    String key = call.text("Session") + "/" + call.text("Sequence");
    boolean isNew = !replies.containsKey(key);
    if (isNew) {
      executions++;
      value += call.addend();
      replies.put(key, value);
    }
    return result(isNew ? "executed" : "replayed", replies.get(key));
  }

  private Reaction result(String status, int total) {
    return new Reaction.Say(200, "text/xml; charset=UTF-8", "<s:Envelope xmlns:s=\"" + SOAP + "\"><s:Header>"
        + "<ur:ReplicationHeader xmlns:ur=\"urn:understudy:replication:1\"><ur:Status>" + status + "</ur:Status>"
        + "<ur:VersionHandle>" + epoch + "." + executions + "</ur:VersionHandle>" + alsoTold + "<ur:Epoch>" + epoch + "</ur:Epoch>"
        + "</ur:ReplicationHeader></s:Header><s:Body><c:addResponse xmlns:c=\"http://counter.com\"><c:total>" + total
        + "</c:total></c:addResponse></s:Body></s:Envelope>");
  }

  synchronized Reaction refuse(FailureCode code, String executed) {
    return refuse(code, executed, epoch, primary);
  }

  /** Redirects a client to a replica with less load. */
  synchronized Reaction redirect(int target) {
    return refuse(FailureCode.Redirected, "no", epoch, primary, "<ur:Target>" + target + "</ur:Target>");
  }

  Reaction refuse(FailureCode code, String executed, long atEpoch, int atPrimary) {
    return refuse(code, executed, atEpoch, atPrimary, "");
  }

  private Reaction refuse(FailureCode code, String executed, long atEpoch, int atPrimary, String more) {
    return new Reaction.Say(500, "text/xml; charset=UTF-8", "<s:Envelope xmlns:s=\"" + SOAP + "\"><s:Body><s:Fault>"
        + "<faultcode>s:Server</faultcode><faultstring>no result</faultstring><detail>"
        + "<ur:ReplicationFault xmlns:ur=\"urn:understudy:replication:1\"><ur:Code>" + code + "</ur:Code><ur:Executed>"
        + executed + "</ur:Executed><ur:Epoch>" + atEpoch + "</ur:Epoch><ur:Alternatives>" + list(atPrimary)
        + "</ur:Alternatives>" + more + "</ur:ReplicationFault></detail></s:Fault></s:Body></s:Envelope>");
  }

  private String list(int first) {
    StringBuilder text = new StringBuilder();
    text.append(entry(replica(first), "primary"));
    replicas.stream().filter(r -> r.id != first).forEach(r -> text.append(entry(r, "backup")));
    return text.toString();
  }

  private String entry(FakeReplica replica, String role) {
    if (replica.id == outside) {
      return "<ur:Replica id=\"" + replica.id + "\" role=\"none\">" + replica.address + "</ur:Replica>";
    }
    String serves = allServe ? " serves=\"update session\"" : "";
    return "<ur:Replica id=\"" + replica.id + "\" role=\"" + role + "\"" + serves + ">" + replica.address + "</ur:Replica>";
  }

  private String view() {
    return "<ur:View><ur:Epoch>" + epoch + "</ur:Epoch>" + list(primary) + "</ur:View>";
  }

  synchronized Reaction serveSession(FakeReplica at, Received call) {
    if (call.isSessionOperation("AwaitView")) {
      return awaitView(call);
    }
    if (at.id != primary) {
      return refuse(FailureCode.NotPrimary, "no");
    }
    if (call.isSessionOperation("OpenSession")) {
      String id = sessions.computeIfAbsent(call.text("Nonce"), nonce -> String.format("%032x", 1 + replies.size() * 1000L
          + sessions.size() + System.nanoTime()));
      return response("OpenSession", "<ur:Session>" + id + "</ur:Session><ur:LeaseSeconds>" + leaseSeconds
          + "</ur:LeaseSeconds><ur:VersionHandle>0.0</ur:VersionHandle>" + view());
    }
    notifyAll();
    if (call.isSessionOperation("RenewSession")) {
      return sessions.containsValue(call.text("Session"))
          ? response("RenewSession", "<ur:LeaseSeconds>" + leaseSeconds + "</ur:LeaseSeconds>")
          : refuse(FailureCode.SessionExpired, "no");
    }
    sessions.values().remove(call.text("Session"));
    return response("CloseSession", "");
  }

  private Reaction awaitView(Received call) {
    long deadline = System.nanoTime() + Duration.ofSeconds(call.number("HoldSeconds")).toNanos();
    try {
      while (watched && end.getCount() > 0 && epoch <= call.number("Epoch") && System.nanoTime() < deadline) {
        wait(100);
      }
    } catch (InterruptedException e) {
      return new Reaction.Drop();
    }
    return watched ? response("AwaitView", view()) : new Reaction.Say(404, "text/html", "nothing here");
  }

  private static Reaction response(String operation, String fields) {
    return new Reaction.Say(200, "text/xml; charset=UTF-8", "<s:Envelope xmlns:s=\"" + SOAP + "\"><s:Body><ur:" + operation
        + "Response xmlns:ur=\"urn:understudy:replication:1\">" + fields + "</ur:" + operation
        + "Response></s:Body></s:Envelope>");
  }

  @Override
  public void close() {
    end.countDown();
    signal();
    replicas.forEach(FakeReplica::close);
  }
}
