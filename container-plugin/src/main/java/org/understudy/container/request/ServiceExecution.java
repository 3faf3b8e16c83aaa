package org.understudy.container.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.execution.Execution;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.Response;
import org.understudy.replication.runtime.Executions;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.NotNowException;
import org.understudy.wsrf.resource.OccupiedResourceException;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * Runs the service, or a standard operation, for a request that the replica has permitted, and hands the replica what became
 * of it. Blocks while other operations hold the resource. Thread-safe.
 */
public final class ServiceExecution {
  /** The request attribute with the family of the response's fault, a {@link DeclaredFault.Family}. */
  private static final String FAMILY = ServiceExecution.class.getName() + ".family";
  private static final Logger LOG = LoggerFactory.getLogger(ServiceExecution.class);

  private final Executions replica;
  private final ServiceHome home;
  private final boolean objects;
  private final ExecutionWatch watch;
  private final Endpoint service;
  private final boolean oneResource;

  /**
   * @param objects whether the states of the service's objects are captured
   * @param service where the operations of the service's own are
   * @param oneResource whether the service keeps its state in itself, as one resource
   */
  public ServiceExecution(
      Executions replica,
      ServiceHome home,
      boolean objects,
      ExecutionWatch watch,
      Endpoint service,
      boolean oneResource) {
    this.replica = replica;
    this.home = home;
    this.objects = objects;
    this.watch = watch;
    this.service = service;
    this.oneResource = oneResource;
  }

  /** By URL first: many clients drop reference parameters. */
  String resourceOf(HttpServletRequest request, Endpoint endpoint, RequestEnvelope envelope) {
    if (oneResource && endpoint == service) {
      return Resources.SERVICE;
    }
    String inPath = endpoint.resourceIn(path(request));
    return inPath == null ? envelope.resource() : inPath;
  }

  /** Executes. In every case it reports the end to the replica and releases the resource. */
  void run(Exchange exchange, long token, FilterChain chain) {
    try (Execution execution = new Execution(replica, token, objects)) {
      try {
        run(exchange, execution, chain);
      } catch (NotNowException | OccupiedResourceException e) {
        exchange.refuse(new Failure(FailureCode.Overloaded, e.getMessage()));
      } catch (RuntimeException e) {
        if (execution.hasEnded()) {
          throw e;
        }
        LOG.error("The state of a request's resource could not be restored. Nothing is executed.", e);
        execution.end(
            new Failure(
                FailureCode.ExecutionFailed,
                "The state of the resource could not be restored. Nothing was executed. See the server's log for the reason."));
      }
    } finally {
      home.unbind();
    }
  }

  private void run(Exchange exchange, Execution execution, FilterChain chain) {
    String resource = resourceOf(exchange.request, exchange.endpoint, exchange.envelope);
    ResourceTransaction visit = home.enter(exchange.endpoint.key(resource), exchange.operation.read() != null);
    execution.entered(visit);
    ExecutionWatch.Running running = watch.begin(exchange, visit.key());
    Outcome outcome;
    try {
      outcome = execute(exchange, resource, visit, execution, chain);
    } finally {
      running.end();
    }
    exchange.executedNow();
    execution.end(outcome);
  }

  /**
   * Executes, and captures what was changed. What goes wrong behind the service method would go wrong again with every
   * retry: it is a terminal failure.
   */
  private Outcome execute(Exchange exchange, String resource, ResourceTransaction visit, Execution execution, FilterChain chain) {
    String failed = "be executed";
    try {
      Response response =
          exchange.operation.standard() == null
              ? response(exchange, chain)
              : StandardAnswer.of(exchange, resource, visit);
      failed = "be completed, because the state after it cannot be captured";
      execution.capture();
      return response;
    } catch (NotNowException e) {
      throw e;
    } catch (UnusableAnswerException e) {
      LOG.error("The response of {} cannot be replicated: {} Its effects are undone.", exchange.envelope.operation(),
          e.getMessage(), e);
      failed = "be completed, because the service's response cannot be stored";
    } catch (IOException | ServletException | RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      LOG.error("{} could not {}. Its effects are undone.", exchange.envelope.operation(), failed, e);
    }
    String sentence =
        "The request could not " + failed + ". Its effects are undone, and a retry would fail as well. "
            + "See the server's log for the reason.";
    return new Failure(FailureCode.ExecutionFailed, sentence);
  }

  /**
   * Records the family of the fault that the service returns for a request.
   *
   * @param request as the service's stack has it from the transport; another one than a servlet's is left alone
   */
  public static void answersWith(Object request, DeclaredFault.Family family) {
    if (request instanceof ServletRequest asked) {
      asked.setAttribute(FAMILY, family);
    }
  }

  private Response response(Exchange exchange, FilterChain chain) throws IOException, ServletException {
    CapturedResponse captured = new CapturedResponse(exchange.response);
    SoapVersion version = exchange.envelope.version();
    // An earlier execution, which was rolled back, may have left one.
    exchange.request.removeAttribute(FAMILY);
    chain.doFilter(new BufferedRequest(exchange.request, exchange.message.write(version), service.path()), captured);
    if (captured.length() == 0 && captured.getStatus() < 300) {
      return new Response(Answers.ONE_WAY, new byte[0]);
    }
    Object declared = exchange.request.getAttribute(FAMILY);
    DeclaredFault.Family usual = captured.getStatus() >= 400 ? DeclaredFault.Family.SOAP : null;
    byte format = Answers.format(version, declared instanceof DeclaredFault.Family family ? family : usual);
    return stored(format, captured);
  }

  private static Response stored(byte format, CapturedResponse captured) {
    String type = captured.getContentType();
    try {
      if (!Multipart.is(type)) {
        return new Response(format, ResponseBody.of(captured.bytes(), captured.length(), type));
      }
      Multipart parts = Multipart.read(captured.bytes(), captured.length(), type);
      byte[] body = ResponseBody.of(parts.root(), parts.root().length, parts.rootType());
      return new Response((byte) (format | Answers.MULTIPART), parts.pack(body));
    } catch (IllegalArgumentException e) {
      throw new UnusableAnswerException(e);
    }
  }

  /** What the service answered is not an envelope that can be stored. */
  private static final class UnusableAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableAnswerException(IllegalArgumentException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Within the web application, decoded. */
  static String path(HttpServletRequest request) {
    return request.getPathInfo() == null
        ? request.getServletPath()
        : request.getServletPath() + request.getPathInfo();
  }
}
