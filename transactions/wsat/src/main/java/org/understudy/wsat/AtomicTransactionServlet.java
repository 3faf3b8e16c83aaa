package org.understudy.wsat;

import com.arjuna.services.framework.task.TaskManager;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.understudy.container.attachment.Attachments;
import org.understudy.container.configuration.WsatSettings;
import org.understudy.container.deployment.SeparateBus;
import org.understudy.container.interceptor.FaultLog;

/** Serves the endpoints of WS-AtomicTransaction on a bus of their own. */
final class AtomicTransactionServlet extends CXFNonSpringServlet {
  private static final long serialVersionUID = 1;

  private final transient TransactionService service;
  private final transient WsatSettings settings;
  /** The accepted messages whose tasks Narayana has not begun. */
  private final AtomicInteger waiting = new AtomicInteger();
  private final transient AtomicReference<Bus> own = new AtomicReference<>();

  AtomicTransactionServlet(TransactionService service, WsatSettings settings) {
    this.service = service;
    this.settings = settings;
  }

  @Override
  public void init(ServletConfig config) throws ServletException {
    QuietServices.install();
    Bus bus = SeparateBus.create();
    own.set(bus);
    Attachments.ignore(bus);
    // Narayana queues what a one-way message asks for itself.
    bus.setProperty(OneWayProcessorInterceptor.USE_ORIGINAL_THREAD, true);
    // CXF would log the stack trace of each message that is rejected.
    bus.setProperty(FaultListener.class.getName(), new FaultLog());
    setBus(bus);
    super.init(config);
    Bus thread = BusFactory.getAndSetThreadDefaultBus(bus);
    try {
      for (Endpoints endpoint : Endpoints.of(settings.coordinator())) {
        new EndpointImpl(bus, endpoint.implementation().get()).publish(endpoint.path());
      }
      service.start();
    } finally {
      BusFactory.setThreadDefaultBus(thread);
    }
  }

  /**
   * Accepts a message unless too many wait. Narayana answers a one-way message when its task is in a queue without limit, so a marker
   * behind each task counts those that have not begun. CXF finds an endpoint by its whole path, because several folders lead to this
   * servlet.
   */
  @Override
  protected void invoke(HttpServletRequest request, HttpServletResponse response) throws ServletException {
    if (waiting.incrementAndGet() > settings.tasks()) {
      waiting.decrementAndGet();
      refuse(response);
      return;
    }
    try {
      super.invoke(new WholePath(request), response);
    } finally {
      if (!TaskManager.getManager().queueTask(waiting::decrementAndGet)) {
        waiting.decrementAndGet();
      }
    }
  }

  private void refuse(HttpServletResponse response) throws ServletException {
    response.setHeader("Retry-After", "1");
    try {
      response.sendError(
          503, "More than " + settings.tasks() + " messages wait at this server (understudy.wsat.tasks). Send the message again later.");
    } catch (IOException e) {
      throw new ServletException("The client closed its connection.", e);
    }
  }

  /** Stops the endpoints. Idempotent. */
  void end() {
    Bus bus = own.getAndSet(null);
    if (bus != null) {
      bus.shutdown(true);
      QuietServices.remove();
    }
  }

  /** A request as of a servlet that is mapped to the whole web application. */
  private static final class WholePath extends HttpServletRequestWrapper {
    WholePath(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getServletPath() {
      return "";
    }

    @Override
    public String getPathInfo() {
      String info = super.getPathInfo();
      return super.getServletPath() + (info == null ? "" : info);
    }
  }
}
