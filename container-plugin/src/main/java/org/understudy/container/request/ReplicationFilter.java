package org.understudy.container.request;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.basefault.UnknownResources;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.contract.PublishedContracts;
import org.understudy.container.operation.DeclaredFault;
import org.understudy.container.operation.Endpoint;
import org.understudy.container.operation.NotNowException;
import org.understudy.container.resource.Resources;
import org.understudy.container.resource.Visit;
import org.understudy.container.session.ReplicationOperations;
import org.understudy.container.soap.BadEnvelopeException;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.Multipart;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.soap.RequestMessage;
import org.understudy.container.soap.Transcoding;
import org.understudy.notification.soap.SoapVersion;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.Replica;

/**
 * Stands before the service: load balancing, consistency, the service, update, in Bartoli's order. A duplicate, a refusal
 * or a redirect never reaches the service's stack. No thread waits for stability: the exchange is parked.
 */
public final class ReplicationFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationFilter.class);

  private final Configuration configuration;
  private final Replica replica;
  private final Resources resources;
  private final boolean oneResource;
  private final Answers answers;
  private final LoadBalancing loadBalancing;
  private final Operations serviceOperations;
  private final ReplicationOperations operations;
  private final Forwarding forwarding;
  private final List<Endpoint> endpoints;
  private final PublishedContracts contracts;
  private final Endpoint service;

  /**
   * @param oneResource whether the service keeps its state in itself, as one resource
   * @param endpoints what stands behind this filter; the service's first
   */
  public ReplicationFilter(
      Configuration configuration,
      Replica replica,
      Resources resources,
      boolean oneResource,
      Answers answers,
      LoadBalancing loadBalancing,
      Operations serviceOperations,
      ReplicationOperations operations,
      Forwarding forwarding,
      List<Endpoint> endpoints,
      PublishedContracts contracts) {
    this.configuration = configuration;
    this.replica = replica;
    this.resources = resources;
    this.oneResource = oneResource;
    this.answers = answers;
    this.loadBalancing = loadBalancing;
    this.serviceOperations = serviceOperations;
    this.operations = operations;
    this.forwarding = forwarding;
    this.endpoints = List.copyOf(endpoints);
    this.contracts = contracts;
    this.service = endpoints.get(0);
  }

  @Override
  public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) servletRequest;
    HttpServletResponse response = (HttpServletResponse) servletResponse;
    if (request.getAttribute(Exchange.ATTRIBUTE) instanceof Exchange parked) {
      parked.resumed();
      run(parked, chain);
      return;
    }
    switch (request.getMethod()) {
      case "POST" -> post(request, response, chain);
      case "GET", "HEAD" -> {
        Endpoint endpoint = endpoint(request);
        if (endpoint == null) {
          chain.doFilter(request, response);
        } else if (!contracts.answer(endpoint, request, response)) {
          refuseMethod(response);
        }
      }
      default -> refuseMethod(response);
    }
  }

  /** Null when there is none at the path. */
  private Endpoint endpoint(HttpServletRequest request) {
    String path = path(request);
    for (Endpoint endpoint : endpoints) {
      if (endpoint.isAt(path)) {
        return endpoint;
      }
    }
    return null;
  }

  private static void refuseMethod(HttpServletResponse response) throws IOException {
    response.setHeader("Allow", "POST");
    response.sendError(405, "A service is called with POST; its contract is behind ?wsdl.");
  }

  private void post(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Endpoint endpoint = endpoint(request);
    if (endpoint == null) {
      Disposition.write(response, FailureCode.BadRequest);
      response.sendError(404, "The service is at " + service.path() + ".");
      return;
    }
    if (!Transcoding.isXml(request.getContentType()) && !Multipart.is(request.getContentType())) {
      response.setHeader("Accept-Post", "text/xml, application/soap+xml");
      response.sendError(415, "A SOAP message is text/xml, application/soap+xml or multipart/related.");
      return;
    }
    byte[] raw = BufferedRequest.read(request, configuration.requestBytes());
    if (raw == null) {
      answers.refuse(
          response,
          new BadEnvelopeException(
              SoapVersion.ofContentType(request.getContentType()),
              "The request is larger than " + configuration.requestBytes() + " bytes, the limit of this server."),
          null);
      return;
    }
    try {
      RequestMessage message = RequestMessage.of(raw, request.getContentType());
      if (operations.isMeant(request)) {
        operations.answer(request, response, message.envelope());
      } else {
        accept(request, response, message, endpoint, EnvelopeReader.read(message, request.getContentType()), chain);
      }
    } catch (BadEnvelopeException e) {
      answers.refuse(response, e, null);
    }
  }

  private void accept(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMessage message,
      Endpoint endpoint,
      RequestEnvelope envelope,
      FilterChain chain)
      throws IOException, ServletException, BadEnvelopeException {
    Operations.Operation operation = serviceOperations.of(endpoint, envelope);
    String resource = resourceOf(request, endpoint, envelope);
    Request asked = Consistency.request(envelope, endpoint.path(), resource, operation, Caller.of(request));
    if (envelope.header() == null && forwarding.isDue(request, asked)) {
      forwarding.forward(request, response, message, envelope, operation);
      return;
    }
    Failure overload = loadBalancing.accept();
    if (overload != null) {
      ResponseContent content = ResponseContent.of(request, envelope, operation.oneWay());
      answers.send(response, envelope, operation, overload, content);
      return;
    }
    Exchange exchange =
        new Exchange(request, response, message, envelope, endpoint, operation, replica, answers, loadBalancing);
    replica.submit(asked, exchange);
    run(exchange, chain);
  }

  /** Runs the service if that is granted, and gives up the turn. */
  private void run(Exchange exchange, FilterChain chain) throws IOException, ServletException {
    do {
      long token = exchange.takeGrant();
      if (token != 0) {
        serve(exchange, token, chain);
      }
    } while (!exchange.leave());
  }

  /** Executes; whatever happens, the replica hears of the end and the resource is free again. */
  private void serve(Exchange exchange, long token, FilterChain chain) {
    boolean read = exchange.operation.read() != null;
    boolean done = false;
    Visit visit = null;
    try {
      String resource = resourceOf(exchange.request, exchange.endpoint, exchange.envelope);
      visit = resources.enter(exchange.endpoint.key(resource), read);
      Response response =
          exchange.operation.standard() == null
              ? response(exchange, chain)
              : StandardAnswer.of(exchange, resource, visit);
      List<StateChange> changes = read ? List.of() : visit.capture(configuration.replicated());
      if (!read) {
        visit.keep();
      }
      exchange.executedNow();
      done = true;
      if (!replica.executed(token, response, changes)) {
        visit.discard();
      }
    } catch (NotNowException e) {
      LOG.debug("A request is put off: {}", e.getMessage());
    } catch (IOException | ServletException | RuntimeException e) {
      LOG.error("A request came to nothing; its effects are undone.", e);
    } finally {
      if (!done) {
        if (visit != null) {
          visit.discard();
        }
        replica.abandoned(token);
      }
      if (visit != null) {
        visit.leave();
      }
    }
  }

  private Response response(Exchange exchange, FilterChain chain) throws IOException, ServletException {
    CapturedResponse captured = new CapturedResponse(exchange.response);
    SoapVersion version = exchange.envelope.version();
    chain.doFilter(new BufferedRequest(exchange.request, exchange.message.write(version), service.path()), captured);
    if (captured.length() == 0 && captured.getStatus() < 300) {
      return new Response(Answers.ONE_WAY, new byte[0]);
    }
    Object declared = exchange.request.getAttribute(UnknownResources.FAMILY);
    DeclaredFault.Family usual = captured.getStatus() >= 400 ? DeclaredFault.Family.SOAP : null;
    byte format = Answers.format(version, declared instanceof DeclaredFault.Family family ? family : usual);
    String type = captured.getContentType();
    if (!Multipart.is(type)) {
      return new Response(format, ResponseBody.of(captured.bytes(), captured.length(), type));
    }
    Multipart parts = Multipart.read(captured.bytes(), captured.length(), type);
    byte[] body = ResponseBody.of(parts.root(), parts.root().length, parts.rootType());
    return new Response((byte) (format | Answers.MULTIPART), parts.pack(body));
  }

  /** By URL first: many clients drop reference parameters. */
  private String resourceOf(HttpServletRequest request, Endpoint endpoint, RequestEnvelope envelope) {
    if (oneResource && endpoint == service) {
      return Resources.SERVICE;
    }
    String inPath = endpoint.resourceIn(path(request));
    return inPath == null ? envelope.resource() : inPath;
  }

  /** Within the web application, decoded. */
  private static String path(HttpServletRequest request) {
    return request.getPathInfo() == null
        ? request.getServletPath()
        : request.getServletPath() + request.getPathInfo();
  }
}
