package org.understudy.container.service;

import jakarta.annotation.Resource;
import jakarta.jws.WebService;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.AsyncHandler;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.annotations.UseAsyncMethod;
import org.apache.cxf.continuations.Continuation;
import org.apache.cxf.continuations.ContinuationProvider;
import org.apache.cxf.jaxws.ServerAsyncResponse;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Begins its operations and leaves it to the test when they go on. */
@WebService(endpointInterface = "org.understudy.container.service.Deferred", targetNamespace = "urn:deferred")
@ResourceState(Tally.class)
public class DeferredService implements Deferred {
  /** Called synchronously, within the asynchronous method. */
  public static final int AT_ONCE = 1_000;

  /** Fails when it goes on. */
  public static final int FAILING = 2_000;

  /** Suspends itself for 100 ms, with a listener that does not return from its timeout until {@link #RELEASED}. */
  public static final int LISTENING = -100;

  public static final AtomicInteger EXECUTIONS = new AtomicInteger();

  /** Listeners that have been called at their timeout. */
  public static final Semaphore LISTENERS = new Semaphore(0);

  public static final Semaphore RELEASED = new Semaphore(0);

  /** What goes on with the operations that have begun, in their order. */
  private static final BlockingQueue<Runnable> WAITING = new LinkedBlockingQueue<>();

  private final ResourceHome<Tally> home;

  @Resource private WebServiceContext context;

  public DeferredService(ResourceHome<Tally> home) {
    this.home = home;
  }

  /** Waits for an operation that has begun, and returns what goes on with it. */
  public static Runnable awaitBegun() {
    try {
      Runnable next = WAITING.poll(30, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("No operation has begun.");
      }
      return next;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many operations have begun and were not taken. */
  public static int begun() {
    return WAITING.size();
  }

  public static void reset() {
    WAITING.clear();
    EXECUTIONS.set(0);
  }

  @Override
  public String create(int value) {
    Tally made = new Tally();
    made.value = value;
    return home.create(made);
  }

  @Override
  @UseAsyncMethod
  public int add(int by) {
    throw new IllegalStateException("The asynchronous method is to be called.");
  }

  /** Its asynchronous form. */
  public Future<?> addAsync(int by, AsyncHandler<Integer> handler) {
    EXECUTIONS.incrementAndGet();
    Tally tally = home.current();
    ServerAsyncResponse<Integer> response = new ServerAsyncResponse<>();
    Runnable rest = () -> {
      tally.value += by;
      if (by == FAILING) {
        response.exception(new IllegalArgumentException("Not so much."));
      } else {
        response.set(tally.value);
      }
      handler.handleResponse(response);
    };
    if (by == AT_ONCE) {
      rest.run();
    } else {
      WAITING.add(rest);
    }
    return response;
  }

  @Override
  public int take(int by) {
    ContinuationProvider provider =
        (ContinuationProvider) context.getMessageContext().get(ContinuationProvider.class.getName());
    Continuation continuation = provider.getContinuation();
    if (continuation.isNew()) {
      EXECUTIONS.incrementAndGet();
      if (by == LISTENING) {
        HttpServletRequest request = (HttpServletRequest) context.getMessageContext().get(MessageContext.SERVLET_REQUEST);
        request.getAsyncContext().addListener(new BlockingListener());
      }
      continuation.suspend(by < 0 ? -by : 0);
      if (by >= 0) {
        WAITING.add(continuation::resume);
      }
      return 0;
    }
    if (continuation.isTimeout()) {
      return -1;
    }
    if (continuation.getObject() == null) {
      home.current().value -= by;
      continuation.setObject("half");
      continuation.suspend(0);
      WAITING.add(continuation::resume);
      return 0;
    }
    home.create(new Tally());
    return home.current().value;
  }

  /** Does not return from its timeout before the test says so. */
  private static final class BlockingListener implements AsyncListener {
    @Override
    public void onTimeout(AsyncEvent event) {
      LISTENERS.release();
      RELEASED.acquireUninterruptibly();
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }

  @Override
  @Read(ReadLevel.LINEARIZABLE)
  public int value(int ignored) {
    return home.current().value;
  }
}
