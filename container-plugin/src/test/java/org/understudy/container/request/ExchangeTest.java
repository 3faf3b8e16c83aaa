package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.IgnoredOutput;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.operation.Operation;
import org.understudy.container.response.Answers;
import org.understudy.container.response.ResponseLimits;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.CoordinatedTransactions;
import org.understudy.container.transaction.Coordinations;
import org.understudy.container.transaction.TransactionSettings;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.peer.AnswerWait;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.test.Condition;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.LockRequest;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/** Orders of events that HTTP alone does not force: each step of the exchange is taken by the test. */
class ExchangeTest {
  private static final Reply REPLY =
      new Reply(new Response((byte) 0, new byte[0]), Reply.Status.EXECUTED, VersionHandle.INITIAL, 1);

  /** What happened to executions and to the container's exchange, in order. */
  private final List<String> events = new CopyOnWriteArrayList<>();
  private boolean stopping;
  /** What the container throws instead of doing what is called; null for nothing. */
  private Throwable broken;
  private Runnable beforeBroken = () -> {};
  /** Of the asynchronous requests. */
  private final List<AsyncListener> listeners = new CopyOnWriteArrayList<>();
  private boolean sentByContainer = true;
  /** Runs while a reply is sent. */
  private Runnable sending = () -> {};
  /** For how long a thread waits for the outcome of its execution. */
  private long outcomeNanos;
  /** With which a thread receives answers of other replicas. */
  private AnswerWait answerWait;
  /** Called when an execution has reported its end. */
  private Runnable onExecuted = () -> {};
  private final HttpServletResponse response =
      proxy(HttpServletResponse.class, Map.of("getOutputStream", new IgnoredOutput(), "getBufferSize", 8_192), events);
  private final ExecutionWatch watch = new ExecutionWatch(Duration.ofHours(1), () -> null);
  private final ServiceHome home =
      new ServiceHome(new Resources(null, false, Cell::new, "http://here", 10), Duration.ofHours(1));
  private final Endpoint endpoint = new Endpoint("/services/Cell", "");
  private final ConcurrencyLimiter limiter = new ConcurrencyLimiter(10);
  private final LocalShares held = new LocalShares("requests hold %d bytes", 1 << 30);
  private final Caller caller = new Caller("", "192.0.2.1");
  private final FilterChain chain = (request, response) -> events.add("method");
  private final CoordinatedTransactions coordinated =
      new CoordinatedTransactions(
          null, new TransactionSettings("g", "This group has no transactions.", false, 1, 1, 1, 1), Coordinations.NONE, null);
  private final ServiceExecution execution =
      new ServiceExecution(new Reports(), KeyScope.NONE, null, coordinated, null, home, false, watch, endpoint,
          new ResponseLimits(1 << 20, 1 << 20), false);

  /** Without state. */
  private static final class Cell implements StateCapture {
    @Override
    public byte[] captureState() {
      return new byte[0];
    }

    @Override
    public void restoreState(byte[] state) {
      assertEquals(0, state.length);
    }
  }

  /** In the replica's place. */
  private final class Reports implements Executions {
    @Override
    public void executed(
        long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, Proposal proposal) {
      events.add("executed " + token);
      onExecuted.run();
    }

    @Override
    public void abandoned(long token) {
      events.add("abandoned " + token);
    }

    @Override
    public int wire() {
      return WireVersions.CURRENT.newest();
    }
  }

  private final class Dispatched extends Exchange {
    Dispatched() {
      this(new Reservation(held, "client"));
    }

    Dispatched(Reservation reservation) {
      super(
          new IncomingRequest(
              servletRequest(), ExchangeTest.this.response, ExchangeTest.this.caller, null,
              new RequestEnvelope(SoapVersion.SOAP11, new QName("add"), null, MessageProperties.UNUSED, List.of(), "a", 0),
              ExchangeTest.this.endpoint, new Operation(null, "", Map.of(), null),
              new ReplicatedService(new Answers(configuration(), null, null), null, execution, null, null, null), reservation),
          null, limiter, null, new OutcomeWait(outcomeNanos, new OutcomeHistory()));
      limiter.accept(reservation);
    }

    @Override
    AnswerWait beginAnswerWait() {
      return answerWait;
    }

    @Override
    void proceed(FilterChain chain) {
      run(chain);
    }

    @Override
    boolean isSentByContainer(Object result) {
      return sentByContainer;
    }

    @Override
    void send(Reply reply, HttpServletResponse to) {
      sending.run();
      events.add("sent");
    }

    @Override
    void send(Failure failure, HttpServletResponse to) {
      sending.run();
      events.add(failure.code() + " sent");
    }
  }

  private static Configuration configuration() {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://192.0.2.1:80/");
    properties.setProperty("understudy.strategy", "none");
    properties.setProperty("understudy.secret", "0123456789abcdef");
    try {
      return Configuration.of(properties);
    } catch (ConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T proxy(Class<T> type, Map<String, ?> results, List<String> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            ExchangeTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              String name = method.getName();
              if (name.equals("addListener")) {
                listeners.add((AsyncListener) arguments[0]);
                return null;
              }
              if (calls != null && name.equals("setHeader")) {
                calls.add(arguments[0] + ": " + arguments[1]);
              } else if (calls != null && !name.matches("setTimeout|getRe(quest|sponse)")) {
                calls.add(name.equals("setStatus") ? name + " " + arguments[0] : name);
              }
              if (stopping && name.equals("dispatch")) {
                throw new UnsupportedOperationException("as Tomcat does");
              }
              if (broken != null && name.matches("dispatch|startAsync")) {
                beforeBroken.run();
                throw broken;
              }
              return results.get(name);
            }));
  }

  private HttpServletRequest servletRequest() {
    AsyncContext async =
        proxy(AsyncContext.class, Map.of("getRequest", proxy(HttpServletRequest.class, Map.of(), null)), events);
    Map<String, ?> results = Map.of("getContentLengthLong", 0L, "getRequestURI", "/app/services/Cell/a", "getServletPath",
        "/services/Cell/a", "startAsync", async);
    return proxy(HttpServletRequest.class, results, null);
  }

  @AfterEach
  void close() {
    watch.close();
    coordinated.close();
  }

  private LockRequest lock() {
    return home.request(endpoint.key("a"), false);
  }

  private void assertFree() {
    LockRequest next = lock();
    assertTrue(next.await(0), "the resource is locked");
    next.transaction().release();
  }

  /** An exchange whose execution waits for its resource, without a thread. */
  private Exchange waiting() {
    Exchange exchange = new Dispatched();
    exchange.execute(7, Request.Kind.UPDATE);
    exchange.run(chain);
    assertEquals(List.of(), events);
    return exchange;
  }

  @Test
  void executionThatIsDroppedAfterTheDispatchOfItsOutcomeDoesNotGoOn() {
    LockRequest holder = lock();
    Exchange exchange = waiting();
    exchange.reply(REPLY);
    holder.transaction().release();
    exchange.resumed();
    exchange.run(chain);
    assertEquals(List.of("dispatch", "abandoned 7", "sent"), events);
    assertEquals(0, limiter.load());
    assertFree();
  }

  @Test
  void executionThatIsDroppedWhileItsDispatchIsUnderWayDoesNotGoOn() {
    LockRequest holder = lock();
    Exchange exchange = waiting();
    holder.transaction().release();
    execution.close();
    exchange.resumed();
    exchange.run(chain);
    assertEquals(List.of("dispatch", "abandoned 7", "NotReady sent"), events);
    assertEquals(0, limiter.load());
    assertFree();
  }

  @Test
  void containerThatDispatchesNoMoreEndsTheExchangeWithAFailureAndNotEmpty() {
    LockRequest holder = lock();
    waiting();
    stopping = true;
    holder.transaction().release();
    assertEquals(
        List.of("dispatch", "Understudy-Disposition: NotReady", "setStatus 503", "complete", "abandoned 7"), important());
    assertEquals(0, limiter.load());
    assertFree();
  }

  @Test
  void replyThatOnlyTheContainerSendsEndsAsAFailureWhenItDispatchesNoMore() {
    Exchange exchange = new Dispatched();
    exchange.run(chain);
    stopping = true;
    exchange.reply(REPLY);
    assertEquals(List.of("dispatch", "Understudy-Disposition: OutcomeUnknown", "setStatus 503", "complete"), important());
    assertEquals(0, limiter.load());
  }

  @Test
  void waitWhoseThreadCannotLeaveItsExchangeReleasesTheResourceWhenItEnds() {
    LockRequest holder = lock();
    Exchange exchange = new Dispatched();
    exchange.execute(7, Request.Kind.UPDATE);
    broken = new IllegalStateException("an asynchronous request cannot begin");
    assertThrows(IllegalStateException.class, () -> exchange.run(chain));
    assertEquals(0, limiter.load());
    holder.transaction().release();
    assertEquals(List.of("abandoned 7"), important());
    assertFree();
  }

  @Test
  void waitThatEndedBeforeItsThreadFailedToLeaveReleasesTheResource() {
    LockRequest holder = lock();
    broken = new IllegalStateException("an asynchronous request cannot begin");
    beforeBroken = () -> holder.transaction().release();
    Exchange exchange = new Dispatched();
    exchange.execute(7, Request.Kind.UPDATE);
    assertThrows(IllegalStateException.class, () -> exchange.run(chain));
    assertEquals(List.of("abandoned 7"), important());
    assertFree();
  }

  @Test
  void containerThatFailsToDispatchLeavesNoResourceLocked() {
    LockRequest holder = lock();
    waiting();
    broken = new NullPointerException("the container's request has ended");
    holder.transaction().release();
    assertEquals(List.of("dispatch", "abandoned 7"), important());
    assertEquals(0, limiter.load());
    assertFree();
  }

  @Test
  void containerWithoutAThreadForTheDispatchLeavesNoResourceLocked() {
    LockRequest holder = lock();
    waiting();
    broken = new OutOfMemoryError("unable to create native thread");
    holder.transaction().release();
    assertEquals(
        List.of("dispatch", "Understudy-Disposition: NotReady", "setStatus 503", "complete", "abandoned 7"), important(),
        "its client is told");
    assertEquals(0, limiter.load());
    assertFree();
  }

  @Test
  void suspendedExecutionOfAClosedEndpointIsAnswered() {
    LockRequest holder = lock();
    waiting();
    execution.close();
    assertEquals(List.of("abandoned 7", "Understudy-Disposition: NotReady", "setStatus 503", "complete"), important());
    holder.transaction().release();
    assertFree();
  }

  private List<String> important() {
    return events.stream().filter(event -> event.matches("(dispatch|complete|setStatus|abandoned|Understudy-Disposition).*")).toList();
  }

  @Test
  void executionThatGoesOnIsNotDropped() {
    LockRequest holder = lock();
    Exchange exchange = waiting();
    holder.transaction().release();
    exchange.resumed();
    exchange.run(chain);
    execution.close();
    assertEquals(List.of("dispatch", "executed 7"), events);
  }

  /** As the container does when a client closes its connection: afterwards it uses its objects for another client. */
  private void clientCloses() {
    try {
      for (AsyncListener listener : listeners) {
        listener.onError(null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    events.add("reused");
  }

  @Test
  void nothingIsWrittenToTheContainersObjectsOnceTheClientHasClosedItsConnection() {
    sentByContainer = false;
    Exchange exchange = new Dispatched();
    exchange.run(chain);
    clientCloses();
    exchange.reply(REPLY);
    assertEquals(List.of("reused"), events);
    assertEquals(0, limiter.load());
  }

  @Test
  void theContainerWaitsForAWriteThatHasBegun() throws Exception {
    sentByContainer = false;
    Thread container = new Thread(this::clientCloses);
    sending = () -> {
      container.start();
      Condition.await(
          "the container waits, or does not",
          () -> container.getState() == Thread.State.BLOCKED || container.getState() == Thread.State.TERMINATED);
    };
    Exchange exchange = new Dispatched();
    exchange.run(chain);
    exchange.reply(REPLY);
    container.join();
    assertEquals(List.of("sent", "complete", "reused"), events);
  }

  @Test
  void executionOfAClientThatHasGoneIsDroppedAtTheEndOfItsWait() {
    LockRequest holder = lock();
    waiting();
    clientCloses();
    holder.transaction().release();
    assertEquals(List.of("reused", "abandoned 7"), events);
    assertEquals(0, limiter.load());
    assertFree();
  }

  @Test
  void clientThatHasGoneIsNotAnsweredWhenItsExecutionTakesTooLong() {
    LockRequest holder = lock();
    Exchange exchange = waiting();
    clientCloses();
    exchange.answerPending(new Failure(FailureCode.StillPending, "It takes long."));
    assertEquals(0, limiter.load());
    holder.transaction().release();
    assertEquals(List.of("reused", "abandoned 7"), events);
    assertFree();
  }

  /** An exchange that waits for its resource, and whose client does not take its StillPending. Calls this meanwhile. */
  private Exchange whileStillPendingIsWritten(Consumer<Exchange> call) {
    Exchange exchange = waiting();
    AtomicReference<Thread> replica = new AtomicReference<>();
    sending = () -> {
      sending = () -> {};
      replica.set(new Thread(() -> call.accept(exchange)));
      replica.get().start();
      // It may be blocked for a moment, by a lock that another thread holds as briefly.
      Condition.await("the replica goes on", () -> replica.get().getState() == Thread.State.TERMINATED);
      events.add("taken");
    };
    exchange.answerPending(new Failure(FailureCode.StillPending, "It takes long."));
    return exchange;
  }

  @Test
  void endOfAWaitDoesNotWaitForAClientThatDoesNotTakeItsStillPending() {
    LockRequest holder = lock();
    Exchange exchange = whileStillPendingIsWritten(one -> holder.transaction().release());
    assertEquals(List.of("Connection: close", "taken", "StillPending sent", "dispatch"), events);
    exchange.resumed();
    exchange.run(chain);
    assertEquals("executed 7", events.get(4));
    assertEquals(0, limiter.load());
  }

  @Test
  void theContainerWaitsForAStillPendingThatIsWritten() throws Exception {
    LockRequest holder = lock();
    Exchange exchange = waiting();
    Thread container = new Thread(this::clientCloses);
    sending = () -> {
      container.start();
      Condition.await(
          "the container waits, or does not",
          () -> container.getState() == Thread.State.WAITING || container.getState() == Thread.State.TERMINATED);
    };
    exchange.answerPending(new Failure(FailureCode.StillPending, "It takes long."));
    container.join();
    assertEquals(List.of("Connection: close", "StillPending sent", "reused"), events);
    holder.transaction().release();
    assertFree();
  }

  @Test
  void clientThatDoesNotTakeItsStillPendingDelaysNoTimer() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch rings = new CountDownLatch(1);
    sending = () -> Condition.await("the client", () -> taken.getCount() == 0);
    try (ExecutionWatch soon = new ExecutionWatch(Duration.ofMillis(1), () -> null)) {
      soon.begin(new Dispatched(), "a");
      Condition.await("StillPending", () -> events.contains("Connection: close"));
      soon.after(1, rings::countDown);
      assertTrue(rings.await(30, TimeUnit.SECONDS));
      taken.countDown();
      Condition.await("the end of the write", () -> events.contains("StillPending sent"));
    }
  }

  /** Calls this when the calling thread waits for the outcome of its execution. */
  private void whileThisThreadWaits(Runnable call) {
    Thread container = Thread.currentThread();
    outcomeNanos = TimeUnit.HOURS.toNanos(1);
    onExecuted =
        () ->
            new Thread(
                    () -> {
                      while (!(LockSupport.getBlocker(container) instanceof OutcomeWait)) {
                        Thread.onSpinWait();
                      }
                      call.run();
                    })
                .start();
  }

  @Test
  void threadThatHasExecutedSendsAnOutcomeThatArrivesSoon() {
    AtomicReference<Exchange> exchange = new AtomicReference<>();
    whileThisThreadWaits(() -> exchange.get().reply(REPLY));
    exchange.set(new Dispatched());
    exchange.get().execute(7, Request.Kind.UPDATE);
    exchange.get().run(chain);
    assertEquals(List.of("executed 7", "sent"), events);
    assertEquals(0, limiter.load());
  }

  @Test
  void anotherThreadMayWaitWhileTheResponseIsWritten() {
    AtomicReference<Exchange> exchange = new AtomicReference<>();
    outcomeNanos = TimeUnit.HOURS.toNanos(1);
    answerWait = new AnswerWait() {
      @Override
      public boolean receive(BooleanSupplier over, long nanos) {
        exchange.get().reply(REPLY);
        return true;
      }

      @Override
      public void wakeUp() {
        throw new AssertionError("It is the thread that waits.");
      }

      @Override
      public void end() {
        events.add("left");
      }
    };
    exchange.set(new Dispatched());
    exchange.get().execute(7, Request.Kind.UPDATE);
    exchange.get().run(chain);
    assertEquals(List.of("executed 7", "left", "sent"), events);
  }

  @Test
  void threadThatWaitsForItsOutcomeLeavesWhenTheRequestIsToRunAgain() {
    AtomicReference<Exchange> exchange = new AtomicReference<>();
    whileThisThreadWaits(() -> exchange.get().execute(8, Request.Kind.UPDATE));
    exchange.set(new Dispatched());
    exchange.get().execute(7, Request.Kind.UPDATE);
    exchange.get().run(chain);
    assertEquals(List.of("executed 7", "dispatch"), events);
  }

  @Test
  void threadLeavesAnOutcomeThatDoesNotArriveSoonToAnother() {
    Exchange exchange = new Dispatched();
    exchange.execute(7, Request.Kind.UPDATE);
    exchange.run(chain);
    exchange.reply(REPLY);
    exchange.resumed();
    exchange.run(chain);
    assertEquals(List.of("executed 7", "dispatch", "sent"), events);
  }

  @Test
  void interruptedThreadDoesNotWaitForItsOutcome() {
    outcomeNanos = TimeUnit.HOURS.toNanos(1);
    Exchange exchange = new Dispatched();
    exchange.execute(7, Request.Kind.UPDATE);
    Thread.currentThread().interrupt();
    exchange.run(chain);
    assertTrue(Thread.interrupted());
    exchange.reply(REPLY);
    assertEquals(List.of("executed 7", "dispatch"), events);
  }
}
