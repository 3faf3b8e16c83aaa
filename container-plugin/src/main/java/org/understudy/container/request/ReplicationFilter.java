package org.understudy.container.request;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.balancing.Arrival;
import org.understudy.container.balancing.Decision;
import org.understudy.container.balancing.LoadBalancing;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.http.Forwarding;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.container.intake.RequestMemory;
import org.understudy.container.intake.TreeMemory;
import org.understudy.container.operation.Operation;
import org.understudy.container.operation.Operations;
import org.understudy.container.response.Answers;
import org.understudy.container.response.ResponseContent;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.soap.mime.Transcoding;
import org.understudy.wsrf.operation.Endpoint;

/**
 * Replicates the requests to services, with Bartoli's filters in his order: load balancing, consistency, the service, update. A
 * duplicate, a rejected or a forwarded request never reaches the service's stack. No thread waits for stability: the exchange
 * is parked.
 */
public final class ReplicationFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationFilter.class);
  private static final long NOT_ADMITTED = -1;

  /** Represents an operation on a session while it is forwarded. */
  private static final Operation OF_SESSION =
      new Operation(null, ReplicationNames.action("Response"), Map.of(), null);

  /** The request attribute that holds the filter by which a request has been accepted. */
  private static final String ACCEPTED_BY = ReplicationFilter.class.getName();

  /** The queries for which CXF returns a contract or a part of it. */
  private static final Pattern CONTRACT = Pattern.compile("(wsdl|xsd)(=|&|$)", Pattern.CASE_INSENSITIVE);

  private final Configuration configuration;
  private final Replica replica;
  private final LoadBalancing balancing;
  private final ConcurrencyLimiter limiter;
  private final Forwarding forwarding;
  private final ServicePaths paths;
  private final boolean exclusive;
  private final RequestIdentity identity;
  private final AtomicBoolean synchronousLogged = new AtomicBoolean();

  /**
   * @param paths of the services behind this filter
   * @param exclusive whether requests for other paths are rejected; else they pass
   */
  public ReplicationFilter(
      Configuration configuration,
      Replica replica,
      LoadBalancing balancing,
      ConcurrencyLimiter limiter,
      Forwarding forwarding,
      ServicePaths paths,
      boolean exclusive) {
    this.configuration = configuration;
    this.replica = replica;
    this.balancing = balancing;
    this.limiter = limiter;
    this.forwarding = forwarding;
    this.paths = paths;
    this.exclusive = exclusive;
    this.identity = new RequestIdentity(configuration.secret());
  }

  @Override
  public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) servletRequest;
    HttpServletResponse response = (HttpServletResponse) servletResponse;
    ServicePaths.Place place = paths.at(RequestTarget.path(request));
    // An exchange that another instance of this filter has parked must pass this one. One of this instance continues, also after its
    // endpoint has been stopped: it may hold a resource.
    boolean accepted = request.getAttribute(ACCEPTED_BY) == this;
    if (place == null && !exclusive && !accepted) {
      if (paths.isComplete() || !request.getMethod().equals("POST")) {
        chain.doFilter(request, response);
      } else {
        // An embedded server accepts requests before the endpoints are attached. None may be served without replication.
        response.setHeader("Retry-After", "1");
        Answers.refuse(response, 503, "The web application is starting. Nothing was executed. Retry later.");
      }
      return;
    }
    if (accepted && request.getAttribute(Exchange.ATTRIBUTE) instanceof Exchange parked) {
      parked.resumed();
      parked.proceed(chain);
      return;
    }
    switch (request.getMethod()) {
      case "POST" -> post(request, response, place, chain);
      case "GET", "HEAD" -> {
        if (place == null || isContract(place, request)) {
          chain.doFilter(request, response);
        } else if (place.service().contracts() == null
            || !place.service().contracts().answer(place.endpoint(), request, response)) {
          refuseMethod(response);
        }
      }
      default -> refuseMethod(response);
    }
  }

  /** Whether the service's own stack serves this request for a contract. Any other GET could be a call and is rejected. */
  private static boolean isContract(ServicePaths.Place place, HttpServletRequest request) {
    String query = request.getQueryString();
    return place.service().contracts() == null && query != null && CONTRACT.matcher(query).lookingAt();
  }

  private static void refuseMethod(HttpServletResponse response) throws IOException {
    response.setHeader("Allow", "POST");
    Answers.refuse(response, 405, "A service accepts POST only. Its contract is at ?wsdl.");
  }

  private void post(HttpServletRequest request, HttpServletResponse response, ServicePaths.Place place, FilterChain chain)
      throws IOException, ServletException {
    if (place == null) {
      Answers.refuse(response, 404, "There is no service at this path. " + paths);
      return;
    }
    if (!request.isAsyncSupported()) {
      refuseSynchronous(request, response);
      return;
    }
    ReplicatedService service = place.service();
    Answers answers = service.answers();
    if (!Transcoding.isXml(request.getContentType()) && !Multipart.is(request.getContentType())) {
      response.setHeader("Accept-Post", "text/xml, application/soap+xml");
      Answers.refuse(
          response, 415, "The Content-Type of a SOAP message must be text/xml, application/soap+xml or multipart/related.");
      return;
    }
    if (isEncoded(request)) {
      response.setHeader("Accept-Encoding", "identity");
      Answers.refuse(response, 415, "This server does not accept a Content-Encoding in requests.");
      return;
    }
    ReceivedBody body = ReceivedBody.of(request);
    if (body == null || RequestMemory.of(request) == null) {
      Answers.refuse(
          response, 500, "A filter of the web application has read the body of the request, which this replica must read first.");
      return;
    }
    byte[] raw = body.bytes();
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
      if (message.envelope() != raw) {
        body.forget(request);
      }
      RequestEnvelope envelope = EnvelopeReader.read(message, request.getContentType());
      boolean ofSession = service.session().isMeant(request) && TransactionOperation.of(envelope.operation()) == null;
      if (ofSession && isForwarded(envelope) && forwarding.isDue(request, RequestClass.SESSION)) {
        forward(request, response, answers, message, envelope, OF_SESSION, RequestClass.SESSION, null);
      } else if (ofSession) {
        service.session().answer(request, response, message.envelope());
      } else {
        accept(request, response, message, place, envelope, chain);
      }
    } catch (BadEnvelopeException e) {
      answers.refuse(response, e, null);
    }
  }

  /** Rejects a request behind a filter of the application that would end before the response is known. */
  private void refuseSynchronous(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String why = "A filter of the web application, or a valve of the server, does not support asynchronous requests, so a replicated "
        + "service behind it cannot answer. Nothing was executed. Set async-supported to true for the filters of "
        + request.getServletPath() + ", and asyncSupported for the valves.";
    if (synchronousLogged.compareAndSet(false, true)) {
      LOG.error(why);
    }
    Answers.refuse(response, 500, why);
  }

  private static boolean isEncoded(HttpServletRequest request) {
    String encoding = request.getHeader("Content-Encoding");
    return encoding != null && !encoding.strip().equalsIgnoreCase("identity");
  }

  /** Any replica serves views. Sessions need a replica that serves them; stubs connect to it themselves unless they cannot. */
  private boolean isForwarded(RequestEnvelope envelope) {
    boolean wanted = configuration.hasOneClientUrl() || envelope.header() != null && envelope.header().forward();
    return wanted && envelope.operation() != null && !envelope.operation().getLocalPart().equals("AwaitView");
  }

  private static void refuse(
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      RequestEnvelope envelope,
      Operation operation,
      Failure failure)
      throws IOException {
    ResponseContent content = ResponseContent.of(request, envelope, operation.oneWay());
    answers.send(response, envelope, operation, failure, content);
  }

  private void forward(
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      RequestMessage message,
      RequestEnvelope envelope,
      Operation operation,
      RequestClass requestClass,
      ReplicaId preferred)
      throws IOException {
    Reservation reservation = RequestMemory.of(request);
    reservation.hold();
    forwarding.forward(request, response, answers, message, envelope, operation, requestClass, preferred, reservation);
  }

  private void accept(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMessage message,
      ServicePaths.Place place,
      RequestEnvelope envelope,
      FilterChain chain)
      throws IOException, ServletException, BadEnvelopeException {
    ReplicatedService service = place.service();
    Endpoint endpoint = place.endpoint();
    if (service.operations().isAfterCxf(endpoint)) {
      pass(request, response, message, place, envelope, chain);
      return;
    }
    String action = Operations.action(request);
    if (exclusive) {
      // At an endpoint of the application, CXF checks it if the service has WS-Addressing.
      envelope.requireAction(action);
    }
    Operation operation = service.operations().of(endpoint, message, envelope, action);
    String resource = service.execution().resourceOf(request, endpoint, envelope);
    Caller caller = Caller.of(request);
    Request mapped = RequestMapper.request(identity, envelope, endpoint.path(), resource, operation, caller);
    if (operation.standard() == TransactionOperation.MESSAGE && TransactionAnswer.isRefused(service, message, response, envelope)) {
      return;
    }
    TransactionalRequest transaction = null;
    RequestClass requestClass = mapped.requestClass();
    if (TransactionalRequest.isMeant(envelope, operation)) {
      Request update = RequestMapper.update(identity, envelope, endpoint.path(), resource, operation, caller);
      transaction = TransactionalRequest.of(envelope, operation, update, service.execution().coordinated(), service.execution().peers());
      if (transaction != null || operation.standard() instanceof TransactionOperation) {
        requestClass = RequestClass.UPDATE;
        mapped = operation.standard() == TransactionOperation.COMMIT ? update : TransactionalRequest.read(update);
      }
    }
    IncomingRequest incoming =
        new IncomingRequest(
            request, response, caller, message, envelope, endpoint, operation, service, transaction, RequestMemory.of(request));
    long balanced = admit(incoming, requestClass);
    if (balanced >= 0) {
      request.setAttribute(ACCEPTED_BY, this);
      Exchange exchange = new FilterExchange(incoming, replica, limiter, forwarding);
      exchange.balanced(balanced);
      replica.submit(mapped, exchange);
      exchange.proceed(chain);
    }
  }

  /** Passes a request to CXF, which authenticates it. The invoker in CXF submits it to the replica. */
  private void pass(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMessage message,
      ServicePaths.Place place,
      RequestEnvelope envelope,
      FilterChain chain)
      throws IOException, ServletException {
    ReplicatedService service = place.service();
    if (envelope.coordination() != null || envelope.header() != null && envelope.header().transaction() != null) {
      refuse(
          request, response, service.answers(), envelope, service.operations().presumed(envelope),
          new Failure(
              FailureCode.BadRequest,
              "CXF authenticates the messages of this service, so it cannot be called inside a transaction. Nothing was executed."));
      return;
    }
    Operation presumed = service.operations().presumed(envelope);
    IncomingRequest incoming =
        new IncomingRequest(
            request, response, Caller.of(request), message, envelope, place.endpoint(), presumed, service,
            RequestMemory.of(request));
    long balanced = admit(incoming, RequestMapper.requestClass(envelope, presumed.read()));
    if (balanced >= 0) {
      request.setAttribute(ACCEPTED_BY, this);
      Exchange exchange = new InvokerExchange(incoming, replica, limiter, forwarding, identity);
      exchange.balanced(balanced);
      exchange.proceed(chain);
    }
  }

  /** A client with the stub follows a redirect, and its retries are not redirected: the first attempt of a request is. */
  private static Arrival arrival(HttpServletRequest request, RequestEnvelope envelope) {
    ReplicationHeader header = envelope.header();
    boolean moved = Caller.isForwarded(request) || header != null && header.attempt() > 1;
    return new Arrival(envelope.isOfStub() && !header.forward(), moved);
  }

  /**
   * Admits a request that this replica processes. Otherwise it is forwarded, redirected, or refused as Overloaded.
   *
   * @return the nanoseconds of the decision about load; negative when the request is not admitted
   */
  private long admit(IncomingRequest incoming, RequestClass requestClass) throws IOException {
    Answers answers = incoming.service().answers();
    HttpServletRequest request = incoming.request();
    RequestEnvelope envelope = incoming.envelope();
    if (forwarding.isWanted(envelope) && forwarding.isDue(request, requestClass)) {
      forward(request, incoming.response(), answers, incoming.message(), envelope, incoming.operation(), requestClass, null);
      return NOT_ADMITTED;
    }
    long begin = System.nanoTime();
    Decision decision = balancing.decide(arrival(request, envelope), requestClass, forwarding.hasRoom());
    long balanced = Math.max(0, System.nanoTime() - begin);
    if (decision instanceof Decision.Forward to) {
      forward(request, incoming.response(), answers, incoming.message(), envelope, incoming.operation(), requestClass, to.to());
      return NOT_ADMITTED;
    }
    if (decision instanceof Decision.Redirect to) {
      answers.redirect(incoming.response(), envelope, to.to());
      return NOT_ADMITTED;
    }
    boolean tree = incoming.service().operations().isAfterCxf(incoming.endpoint());
    Failure overload = tree ? TreeMemory.reserve(incoming.reservation(), incoming.message().envelope()) : null;
    overload = overload == null ? limiter.accept(incoming.reservation()) : overload;
    if (overload != null) {
      refuse(request, incoming.response(), answers, envelope, incoming.operation(), overload);
      return NOT_ADMITTED;
    }
    return balanced;
  }
}
