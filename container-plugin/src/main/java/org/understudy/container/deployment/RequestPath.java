package org.understudy.container.deployment;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.intake.BodyFilter;
import org.understudy.container.intake.Shares;
import org.understudy.container.request.Answers;
import org.understudy.container.request.CallerProof;
import org.understudy.container.request.ConcurrencyLimiter;
import org.understudy.container.request.ContractDownload;
import org.understudy.container.request.ExecutionWatch;
import org.understudy.container.request.Forwarding;
import org.understudy.container.request.ReplicatedService;
import org.understudy.container.request.ReplicationFilter;
import org.understudy.container.request.ServiceExecution;
import org.understudy.container.request.ServicePaths;
import org.understudy.container.session.SessionEndpoint;
import org.understudy.replication.core.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.soap.envelope.SoapVersion;

/** A request's way to the services of one web application: what all of them share, and what each has of its own. */
final class RequestPath {
  private final Configuration configuration;
  private final Replica replica;
  private final CallerProof proof;
  private final Forwarding forwarding;
  private final ExecutionWatch watch;
  private final Closer closer;
  private final Shares held;
  private final ConcurrencyLimiter load;
  private final Answers usual;
  private final SessionEndpoint sessions;
  /** Of what the plugin publishes. */
  private final ServicePaths own = new ServicePaths();
  /** Of what the web application publishes. */
  private final ServicePaths attached = new ServicePaths();
  private final Map<String, LongSupplier> meters = new ConcurrentSkipListMap<>();
  /** The path of the service that was added first: views contain it where a request names no service. */
  private volatile String first = "";

  /** @param closer gets what this opens */
  RequestPath(Configuration configuration, Replica replica, Closer closer) {
    this.configuration = configuration;
    this.replica = replica;
    this.closer = closer;
    this.proof = new CallerProof(configuration);
    this.forwarding = new Forwarding(configuration, replica, proof);
    closer.add(forwarding::close);
    this.watch = new ExecutionWatch(configuration.execution());
    closer.add(watch::close);
    this.held = new Shares("requests in progress hold %d bytes", configuration.heldBytes());
    this.load = new ConcurrencyLimiter(configuration.loadThreshold(), held);
    this.usual = new Answers(configuration, replica, () -> first);
    this.sessions = new SessionEndpoint(configuration, replica, this.usual);
    closer.add(sessions::close);
    meters.put("load", load::load);
    meters.put("heldBytes", held::total);
    meters.put("polls", sessions::heldPolls);
  }

  /** Takes requests for a service from now on. */
  void add(Publication publication) {
    first = first.isEmpty() ? publication.path() : first;
    Answers answers =
        first.equals(publication.path()) ? usual : new Answers(configuration, replica, publication::path);
    ServiceExecution execution =
        new ServiceExecution(
            publication.scope().executions(replica),
            publication.home(),
            configuration.replicated(),
            watch,
            publication.endpoints().get(0),
            publication.oneResource());
    // What the service has suspended goes on until the replica has answered its clients.
    closer.addLast(execution::close);
    ContractDownload contracts =
        publication.contracts() == null
            ? null
            : new ContractDownload(publication.contracts(), configuration.url(configuration.self()));
    (publication.isAttached() ? attached : own).add(
        new ReplicatedService(answers, publication.operations(), execution, contracts, sessions.at(answers)),
        publication.endpoints());
    add(publication.meters());
  }

  /** Adds meters; those of one name count together. */
  void add(Map<String, LongSupplier> more) {
    more.forEach((name, meter) -> meters.merge(name, meter, (one, other) -> () -> one.getAsLong() + other.getAsLong()));
  }

  /** All endpoints of the web application have been attached: requests for other paths pass. */
  void complete() {
    attached.complete();
  }

  /** An attached endpoint is gone: requests for its path pass. */
  void remove(String path) {
    attached.remove(path);
  }

  SessionEndpoint sessions() {
    return sessions;
  }

  Map<String, LongSupplier> meters() {
    return meters;
  }

  /** The filter that reads bodies for the plugin's own servlets. */
  BodyFilter ownBodies(Set<String> servlets) {
    return bodies(
        request -> {
          HttpServletMapping mapping = request.getHttpServletMapping();
          return mapping != null && servlets.contains(mapping.getServletName());
        });
  }

  /** The filter that reads bodies for attached endpoints and for paths that lead nowhere, behind the application's own filters. */
  BodyFilter otherBodies() {
    return bodies(
        request -> {
          HttpServletMapping mapping = request.getHttpServletMapping();
          return mapping == null
              || mapping.getMappingMatch() == null
              || mapping.getMappingMatch() == MappingMatch.DEFAULT
              || attached.of(request) != null;
        });
  }

  private BodyFilter bodies(Predicate<HttpServletRequest> ours) {
    return new BodyFilter(
        configuration.requestBytes(), configuration.requestBody(), held, this::refuse, proof::owner, ours);
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, SoapVersion version, Failure failure)
      throws IOException {
    ReplicatedService service = attached.of(request);
    service = service == null ? own.of(request) : service;
    (service == null ? usual : service.answers()).refuse(response, version, failure);
  }

  /** The filter before what the plugin publishes; it refuses requests for other paths. */
  ReplicationFilter ownFilter() {
    return new ReplicationFilter(configuration, replica, load, forwarding, proof, own, true);
  }

  /** The filter before what the web application publishes; requests for other paths pass. */
  ReplicationFilter attachedFilter() {
    return new ReplicationFilter(configuration, replica, load, forwarding, proof, attached, false);
  }
}
