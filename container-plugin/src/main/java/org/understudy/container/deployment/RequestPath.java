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
import org.understudy.container.balancing.LoadBalancing;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.Key;
import org.understudy.container.forwarding.http.Forwarding;
import org.understudy.container.intake.BodyFilter;
import org.understudy.container.intake.ForwardedIntake;
import org.understudy.container.management.TransactionControl;
import org.understudy.container.operation.ContractDownload;
import org.understudy.container.request.ExecutionWatch;
import org.understudy.container.request.OutcomeHistory;
import org.understudy.container.request.ReplicatedService;
import org.understudy.container.request.ReplicationFilter;
import org.understudy.container.request.ServiceExecution;
import org.understudy.container.request.ServicePaths;
import org.understudy.container.response.Answers;
import org.understudy.container.response.ResponseLimits;
import org.understudy.container.session.SessionEndpoint;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.transaction.CoordinatedTransactions;
import org.understudy.container.transaction.Coordinations;
import org.understudy.container.transaction.OpenTransactions;
import org.understudy.container.transaction.PeerTransactions;
import org.understudy.container.transaction.TransactionOverview;
import org.understudy.container.transaction.TransactionSettings;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.soap.envelope.SoapVersion;

/** The processing of requests to the services of one group in a web application, with its shared and its separate parts. */
final class RequestPath {
  private final Configuration configuration;
  private final Replica replica;
  private final CallerProof proof;
  private final Forwarding forwarding;
  private final ExecutionWatch watch;
  private final Closer closer;
  private final LocalShares held;
  private final LoadBalancing balancing;
  private final ConcurrencyLimiter limiter;
  private final Answers defaultAnswers;
  private final SessionEndpoint sessions;
  private final OpenTransactions transactions;
  private final CoordinatedTransactions coordinated;
  private final PeerTransactions peers;
  /** Services that the plugin publishes. */
  private final ServicePaths own = new ServicePaths();
  /** Services that the web application publishes. */
  private final ServicePaths attached = new ServicePaths();
  private final Map<String, LongSupplier> meters = new ConcurrentSkipListMap<>();
  private final OutcomeHistory outcomes = new OutcomeHistory();
  /** The path of the first service. Views contain it when a request names no service. */
  private volatile String first = "";

  /**
   * @param shared with the other groups of the web application
   * @param closer closes the parts of this request path
   */
  RequestPath(Configuration configuration, SharedParts shared, Replica replica, Closer closer) {
    this.configuration = configuration;
    this.replica = replica;
    this.closer = closer;
    this.proof = new CallerProof(configuration);
    this.forwarding = new Forwarding(configuration, replica, proof);
    closer.add(forwarding::close);
    this.watch = new ExecutionWatch(configuration.execution(), replica::silentDatabase);
    closer.add(watch::close);
    this.held = shared.held();
    this.limiter = shared.limiter();
    this.balancing = new LoadBalancing(configuration, replica, limiter::load);
    this.defaultAnswers = new Answers(configuration, replica, () -> first);
    this.sessions = new SessionEndpoint(configuration, replica, this.defaultAnswers, shared.polls());
    closer.add(sessions::close);
    // A provider is for one group.
    Coordinations coordinations = configuration.localGroup().isEmpty() ? Coordinations.installed() : Coordinations.NONE;
    EnvelopeReader.readAlso(coordinations.headers());
    TransactionSettings settings = transactions(configuration);
    this.transactions = new OpenTransactions(settings, replica);
    closer.add(transactions::close);
    this.coordinated = new CoordinatedTransactions(transactions, settings, coordinations, replica);
    closer.add(coordinated::close);
    this.peers =
        new PeerTransactions(
            settings, configuration.transactionPeers(), configuration.trust(), replica, transactions, coordinated);
    closer.add(peers::close);
    TransactionOverview overview = new TransactionOverview(replica, transactions, coordinated, peers);
    closer.add(TransactionControl.register(configuration, coordinated, overview)::close);
    meters.putAll(overview.meters());
    meters.put("load", limiter::load);
    meters.put("redirected", balancing::redirected);
    meters.put("forwardedByLoad", balancing::forwarded);
    meters.put("heldBytes", held::total);
    meters.put("polls", sessions::heldPolls);
  }

  private static TransactionSettings transactions(Configuration configuration) {
    String strategy = configuration.strategy().name();
    String unsupported =
        configuration.strategy().decides()
            ? null
            : "The group uses the strategy " + strategy + ", which has no transactions. Nothing was executed. Set "
                + Key.STRATEGY.property() + " to primary-backup or none.";
    return new TransactionSettings(
        configuration.group(), unsupported, configuration.replicated(), configuration.transactions(),
        configuration.transactionLifetime().toMillis(), configuration.transactionCalls(), configuration.transactionBytes());
  }

  /** Starts to accept requests for a service. */
  void add(Publication publication) {
    first = first.isEmpty() ? publication.path() : first;
    if (publication.home().database() != null) {
      coordinated.use(publication.home().database());
    }
    Answers answers =
        first.equals(publication.path()) ? defaultAnswers : new Answers(configuration, replica, publication::path);
    ServiceExecution execution =
        new ServiceExecution(
            replica,
            publication.scope(),
            transactions,
            coordinated,
            peers,
            publication.home(),
            configuration.replicated(),
            watch,
            publication.endpoints().get(0),
            ResponseLimits.of(configuration.limits().bytes()),
            publication.oneResource());
    // Suspended executions must continue until the replica has answered its clients.
    closer.addLast(execution::close);
    ContractDownload contracts =
        publication.contracts() == null
            ? null
            : new ContractDownload(
                publication.contracts(), configuration.clientUrl(configuration.self()), configuration.hasClientUrls());
    (publication.isAttached() ? attached : own).add(
        new ReplicatedService(answers, publication.operations(), execution, contracts, sessions.at(answers), outcomes),
        publication.endpoints());
    add(publication.meters());
  }

  /** Adds meters. Meters with the same name are summed. */
  void add(Map<String, LongSupplier> more) {
    more.forEach((name, meter) -> meters.merge(name, meter, (one, other) -> () -> one.getAsLong() + other.getAsLong()));
  }

  /**
   * Passes requests for other paths on, because all endpoints of the web application have been attached.
   *
   * @param all the paths of all endpoints of the web application
   */
  void complete(Set<String> all) {
    attached.complete(all);
  }

  /** Removes an attached endpoint. Requests for its path pass. */
  void remove(String path) {
    attached.remove(path);
  }

  /** Returns the path of the first service, or an empty string before there is one. */
  String firstService() {
    return first;
  }

  SessionEndpoint sessions() {
    return sessions;
  }

  Map<String, LongSupplier> meters() {
    return meters;
  }

  /** Returns what takes the requests that other replicas of the group forward. */
  ForwardedIntake forwardedRequests() {
    return new ForwardedIntake(configuration, proof, held, this::refuse);
  }

  /** Returns the filter that reads bodies for the plugin's own servlets. */
  BodyFilter ownBodies(Set<String> servlets) {
    return bodies(
        request -> {
          HttpServletMapping mapping = request.getHttpServletMapping();
          return mapping != null && servlets.contains(mapping.getServletName());
        });
  }

  /**
   * Returns the filter that reads bodies for attached endpoints, after the application's own filters.
   *
   * @param unmapped whether it also reads bodies for unmapped paths
   */
  BodyFilter otherBodies(boolean unmapped) {
    return bodies(request -> unmapped && isUnmapped(request) || attached.of(request) != null);
  }

  private static boolean isUnmapped(HttpServletRequest request) {
    HttpServletMapping mapping = request.getHttpServletMapping();
    return mapping == null || mapping.getMappingMatch() == null || mapping.getMappingMatch() == MappingMatch.DEFAULT;
  }

  private BodyFilter bodies(Predicate<HttpServletRequest> selected) {
    return new BodyFilter(
        request -> configuration.requestBytes(), configuration.requestBody(), held, this::refuse,
        request -> Caller.of(request).owner(), selected);
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, SoapVersion version, Failure failure)
      throws IOException {
    ReplicatedService service = attached.of(request);
    service = service == null ? own.of(request) : service;
    (service == null ? defaultAnswers : service.answers()).refuse(response, version, failure);
  }

  /** Returns the filter for the plugin's own endpoints; it rejects requests for other paths. */
  ReplicationFilter ownFilter() {
    return new ReplicationFilter(configuration, replica, balancing, limiter, forwarding, own, true);
  }

  /** Returns the filter for the application's endpoints; requests for other paths pass. */
  ReplicationFilter attachedFilter() {
    return new ReplicationFilter(configuration, replica, balancing, limiter, forwarding, attached, false);
  }
}
