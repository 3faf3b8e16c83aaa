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
import org.understudy.container.configuration.Configuration;
import org.understudy.container.resource.Resources;
import org.understudy.container.resource.Visit;
import org.understudy.container.session.ReplicationOperations;
import org.understudy.container.soap.BadEnvelopeException;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.EnvelopeWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.soap.SoapVersion;
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
  private static final int CLOSED_BODY_STATUS = 500;

  private final Configuration configuration;
  private final Replica replica;
  private final Resources resources;
  private final boolean oneResource;
  private final Answers answers;
  private final LoadBalancing loadBalancing;
  private final Consistency consistency;
  private final ReplicationOperations operations;
  private final Forwarding forwarding;
  private final String servicePath;

  /**
   * @param oneResource whether the service keeps its state in itself, as one resource
   * @param servicePath from the context to the service, for example {@code /services/CounterService}
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
      String servicePath) {
    this.configuration = configuration;
    this.replica = replica;
    this.resources = resources;
    this.oneResource = oneResource;
    this.answers = answers;
    this.loadBalancing = loadBalancing;
    this.consistency = new Consistency(configuration, serviceOperations);
    this.operations = operations;
    this.forwarding = forwarding;
    this.servicePath = servicePath;
  }

  @Override
  public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) servletRequest;
    HttpServletResponse response = (HttpServletResponse) servletResponse;
    if (request.getAttribute(Exchange.ATTRIBUTE) instanceof Exchange parked) {
      run(parked, chain);
      return;
    }
    if (!request.getMethod().equals("POST")) {
      chain.doFilter(request, response);
      return;
    }
    byte[] body = BufferedRequest.read(request, configuration.requestBytes());
    if (body == null) {
      refuse(response, SoapVersion.SOAP11,
          "The request is larger than " + configuration.requestBytes() + " bytes, the limit of this server.");
      return;
    }
    if (operations.isMeant(request)) {
      operations.answer(request, response, body);
      return;
    }
    Failure overload = loadBalancing.accept();
    try {
      RequestEnvelope envelope = EnvelopeReader.read(body, body.length);
      if (overload != null) {
        Answers.send(response, 500, envelope.version(),
            answers.fault(envelope.version(), overload, envelope.messageId()));
        return;
      }
      accept(request, response, body, envelope, chain);
    } catch (BadEnvelopeException e) {
      refuse(response, e.version(), e.getMessage());
    } finally {
      if (overload == null) {
        loadBalancing.done();
      }
    }
  }

  private void refuse(HttpServletResponse response, SoapVersion version, String why) throws IOException {
    byte[] fault = answers.fault(version, new Failure(FailureCode.BadRequest, why), null);
    Answers.send(response, CLOSED_BODY_STATUS, version, fault);
  }

  private void accept(
      HttpServletRequest request,
      HttpServletResponse response,
      byte[] body,
      RequestEnvelope envelope,
      FilterChain chain)
      throws IOException, ServletException, BadEnvelopeException {
    Request asked = consistency.request(envelope, request.getRemoteUser());
    if (envelope.header() == null && forwarding.isDue(request, asked)) {
      forwarding.forward(request, response, body, envelope);
      return;
    }
    Exchange exchange = new Exchange(request, response, body, envelope, asked.kind(), answers);
    replica.submit(asked, exchange);
    run(exchange, chain);
  }

  /** Runs the service if that is granted, and gives up the turn. */
  private void run(Exchange exchange, FilterChain chain) throws IOException, ServletException {
    long token = exchange.takeGrant();
    if (token != 0) {
      serve(exchange, token, chain);
    }
    exchange.yieldTurn();
    token = exchange.takeGrant();
    if (token != 0) {
      // The grant came just before parking.
      serve(exchange, token, chain);
      exchange.yieldTurn();
    }
  }

  private void serve(Exchange exchange, long token, FilterChain chain) throws IOException, ServletException {
    boolean read = exchange.kind == Request.Kind.READ;
    Visit visit = resources.enter(resourceOf(exchange), read);
    boolean done = false;
    try {
      if (oneResource) {
        resources.prepare(visit);
      }
      CapturedResponse captured = new CapturedResponse(exchange.response);
      chain.doFilter(new BufferedRequest(exchange.request, exchange.body, servicePath), captured);
      Response response = new Response(format(exchange, captured), EnvelopeWriter.bodyOf(captured.bytes()));
      List<StateChange> changes =
          read || !configuration.replicated() ? List.of() : visit.capture();
      if (!read) {
        visit.keep();
      }
      exchange.executedNow();
      if (!replica.executed(token, response, changes)) {
        visit.discard();
      }
      done = true;
    } catch (IllegalArgumentException e) {
      LOG.error("The response of the service cannot be replicated; its effects are undone.", e);
    } finally {
      if (!done) {
        visit.discard();
        replica.abandoned(token);
      }
      visit.leave();
    }
  }

  private static byte format(Exchange exchange, CapturedResponse captured) {
    int fault = captured.getStatus() >= 400 ? Answers.FAULT : 0;
    return (byte) (fault | (exchange.envelope.version() == SoapVersion.SOAP12 ? Answers.SOAP12 : 0));
  }

  /** By URL first: many clients drop reference parameters. */
  private String resourceOf(Exchange exchange) {
    if (oneResource) {
      return Resources.SERVICE;
    }
    String path = exchange.request.getRequestURI();
    int at = path.indexOf(servicePath + "/");
    if (at >= 0) {
      return path.substring(at + servicePath.length() + 1);
    }
    return exchange.envelope.resource();
  }
}
