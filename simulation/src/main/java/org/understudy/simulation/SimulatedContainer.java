package org.understudy.simulation;

import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.Repetition;
import org.understudy.container.forwarding.Servers;
import org.understudy.container.forwarding.WaitLimits;
import org.understudy.container.request.RequestIdentity;
import org.understudy.container.request.RequestMapper;
import org.understudy.container.response.ReplicaAddresses;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.ReplyWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.replication.simulation.SimulatedReplica;
import org.understudy.replication.soap.ListedView;
import org.understudy.replication.soap.SessionResponse;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.wsrf.resource.Resources;

/**
 * The container plugin in one incarnation of a replica: it reads envelopes, submits requests to the replica, executes on
 * the service's resources, and forwards. Events of the simulated world replace production's threads.
 */
final class SimulatedContainer {
  private static final String ENDPOINT = "/services/Counter";
  private static final byte[] SECRET = {7, 5, 3, 1};
  /** How long a poll is held when there is no new view. */
  private static final long POLL_NANOS = 3_000_000_000L;
  private static final int MAX_RESOURCES = 10_000;
  private static final SoapVersion SOAP = SoapVersion.SOAP11;
  private static final RequestEnvelope UNADDRESSED =
      new RequestEnvelope(SOAP, null, null, MessageProperties.UNUSED, List.of(), null, 0);

  private final ServiceSimulation simulation;
  private final SimulatedReplica host;
  private final Replica replica;
  private final Resources resources;
  private final LocalShares held;
  private final ConcurrencyLimiter places;
  private final Permissions permissions;
  private final RequestIdentity identity = new RequestIdentity(SECRET);
  private final Set<ServiceCall> calls = new LinkedHashSet<>();
  private final Set<Runnable> polls = new LinkedHashSet<>();
  private final Map<String, Counter> oldCopies = new HashMap<>();
  private final Set<Forward> forwards = new LinkedHashSet<>();

  SimulatedContainer(ServiceSimulation simulation, SimulatedReplica host) {
    this.simulation = simulation;
    this.host = host;
    this.replica = host.replica();
    Counter itself = new Counter();
    this.resources =
        new Resources(
            simulation.has(Mutant.STALE_OBJECT) ? new Unchanging(replica) : replica,
            true,
            simulation.oneResource() ? () -> itself : Counter::new,
            address(host.number()).toString(),
            MAX_RESOURCES,
            simulation.world()::number);
    if (simulation.incremental()) {
      resources.storeUpdates();
    }
    if (simulation.oneResource()) {
      resources.begin(itself);
    }
    this.permissions = new Permissions(replica, simulation.has(Mutant.DISCARDED_UPDATE_STAYS));
    this.held = new LocalShares("requests in progress hold %d bytes", simulation.heldBytes());
    this.places = new ConcurrencyLimiter(Integer.MAX_VALUE);
    replica.listen(assignment -> host.after(0, this::viewChanged));
  }

  /** The first copy that a read of this resource got here. */
  Counter oldCopy(String resource, Counter copy) {
    return oldCopies.computeIfAbsent(resource, key -> copy);
  }

  /** Where a replica's service is. */
  static URI address(int replica) {
    return URI.create("http://replica-" + replica + ENDPOINT);
  }

  /** The replica at an address. */
  static int number(URI address) {
    return Integer.parseInt(address.getHost().substring("replica-".length()));
  }

  ServiceSimulation simulation() {
    return simulation;
  }

  SimulatedReplica host() {
    return host;
  }

  Resources resources() {
    return resources;
  }

  /** What has been permitted here, and takes the ends of it. */
  Permissions permissions() {
    return permissions;
  }

  /** Requests and forwards that have no answer yet, executions that have no end, and resources in use; empty for none. */
  String unfinished() {
    return calls.size() + forwards.size() + resources.used() + permissions.open() + places.load() + held.total() == 0
        ? ""
        : calls.size() + " calls, " + forwards.size() + " forwards, " + permissions.open() + " executions and "
            + resources.used() + " resources in use, " + places.load() + " requests in progress, " + held.total() + " bytes held: " + calls;
  }

  // ------------------------------------------------------------------------------------------------ requests

  /** A request has arrived. */
  void receive(ServiceRequest request, Client client) {
    if (request.kind() == null) {
      awaitView(request, client);
      return;
    }
    RequestEnvelope envelope;
    try {
      envelope = EnvelopeReader.read(request.envelope(), request.envelope().length, "text/xml");
    } catch (BadEnvelopeException e) {
      throw new IllegalStateException("A simulated client sends what no replica can read.", e);
    }
    Request asked = request.operation() == null ? aboutSession(request) : asked(request, envelope);
    boolean foreign = envelope.header() == null;
    boolean wanted = foreign ? request.operation() != null : envelope.header().forward();
    Reservation reservation = new Reservation(held, request.caller().owner());
    try {
      submit(request, envelope, asked, wanted && isDue(request, asked), reservation, client);
    } finally {
      reservation.release();
    }
  }

  private void submit(
      ServiceRequest request, RequestEnvelope envelope, Request asked, boolean forwarded, Reservation reservation, Client client) {
    // Operations on sessions take no place.
    if (forwarded || request.operation() != null) {
      String full = reservation.grow(Configuration.HELD_REQUEST_BYTES + (long) request.length());
      if (full != null) {
        simulation.count("overloads");
        client.answer(refusal(new Failure(FailureCode.Overloaded, full)));
        return;
      }
    }
    if (forwarded) {
      reservation.hold();
      forward(request, envelope, client, false, simulation.world().now(), reservation);
      return;
    }
    if (request.operation() != null) {
      places.accept(reservation);
    }
    ServiceCall call = new ServiceCall(this, request, envelope, client, reservation);
    calls.add(call);
    replica.submit(asked, call);
  }

  private void awaitView(ServiceRequest request, Client client) {
    boolean[] answered = new boolean[1];
    Runnable answer = () -> {
      if (!answered[0]) {
        answered[0] = true;
        client.answer(view());
      }
    };
    if (replica.view().epoch() > request.epoch()) {
      answer.run();
      return;
    }
    polls.add(answer);
    host.after(POLL_NANOS, () -> {
      polls.remove(answer);
      answer.run();
    });
  }

  private void viewChanged() {
    List.copyOf(forwards).forEach(Forward::serversChanged);
    List<Runnable> held = List.copyOf(polls);
    polls.clear();
    held.forEach(Runnable::run);
  }

  private Request asked(ServiceRequest request, RequestEnvelope envelope) {
    boolean byMessageId = envelope.header() == null && envelope.messageId() != null;
    String resource =
        byMessageId && simulation.has(Mutant.IDENTITY_WITHOUT_RESOURCE) ? null : request.resource();
    ReadLevel declaredLevel = request.declaredLevel();
    Caller caller =
        byMessageId && simulation.has(Mutant.IDENTITY_WITHOUT_CALLER)
            ? new Caller("", request.caller().address())
            : request.caller();
    return RequestMapper.request(identity, envelope, ENDPOINT, resource, declaredLevel, caller);
  }

  private static Request aboutSession(ServiceRequest request) {
    SessionId id = request.session();
    String principal = request.caller().principal();
    RequestKey key =
        request.kind() == Request.Kind.OPEN_SESSION
            ? new RequestKey.OfNonce(id.high(), id.low() ^ principal.hashCode())
            : new RequestKey.OfSession(id, 0);
    return new Request(
        key, 0, request.kind(), null, VersionHandle.INITIAL, 0, principal, request.caller().owner());
  }

  /** As the container's: whether a request belongs to another replica, and has not come from one already. */
  private boolean isDue(ServiceRequest request, Request asked) {
    return replica.routing().isElsewhere(asked.requestClass()) && request.forwardedBy() == 0;
  }

  /** As in the container: whether this replica retries for a plain client. */
  boolean retries(ServiceRequest request, RequestEnvelope envelope, Failure refusal, long arrived) {
    boolean safe =
        ForwardedAnswer.isElsewhere(refusal.code())
            || refusal.code() == FailureCode.OutcomeUnknown
                && repetition(request, envelope) != Repetition.IS_ANOTHER_REQUEST;
    return safe
        && envelope.header() == null
        && request.operation() != null
        && replica.halted() == null
        && simulation.world().now() - arrived < simulation.forwardNanos()
        && request.forwardedBy() == 0;
  }

  private Repetition repetition(ServiceRequest request, RequestEnvelope envelope) {
    if (request.kind() == Request.Kind.READ) {
      return Repetition.EXECUTES_NOTHING;
    }
    boolean recognised =
        envelope.hasIdentity() || request.operation() == null || simulation.has(Mutant.FORWARD_AGAIN_WITHOUT_IDENTITY);
    return recognised ? Repetition.IS_RECOGNISED : Repetition.IS_ANOTHER_REQUEST;
  }

  /**
   * The request has a place, which is free again when the client has its answer.
   *
   * @param doubtful whether it may have been executed here
   */
  void forward(
      ServiceRequest request, RequestEnvelope envelope, Client client, boolean doubtful, long arrived, Reservation reservation) {
    Repetition repetition = repetition(request, envelope);
    boolean executed = doubtful && repetition != Repetition.EXECUTES_NOTHING;
    RequestClass asked =
        request.operation() == null ? RequestClass.SESSION : RequestMapper.requestClass(envelope, request.declaredLevel());
    Servers servers =
        new Servers() {
          @Override
          public List<ReplicaId> known() {
            return replica.routing().servers(asked);
          }

          @Override
          public long silentNanos(ReplicaId server) {
            return replica.silentNanos(server);
          }

          @Override
          public boolean isOutOfReach(ReplicaId server) {
            return replica.isOutOfReach(server);
          }
        };
    WaitLimits limits = new WaitLimits(simulation.forwardNanos(), 2 * simulation.forwardNanos());
    Forward forward = new Forward(this, request, new ForwardedRequest(repetition, executed, servers, arrived, limits), client, reservation);
    forwards.add(forward);
    simulation.count("forwards");
    forward.begin();
  }

  void ended(ServiceCall call) {
    calls.remove(call);
  }

  /** Counts the requests in progress. */
  ConcurrencyLimiter places() {
    return places;
  }

  void ended(Forward forward, Reservation reservation) {
    reservation.release();
    forwards.remove(forward);
  }

  // ------------------------------------------------------------------------------------------------ answers

  ServiceAnswer result(ServiceRequest request, Reply reply) {
    byte[] bytes =
        request.operation() != null
            ? ReplyWriter.reply(UNADDRESSED, reply, false, null, "")
            : ReplyWriter.message(SOAP, ofSession(request, reply), null, MessageProperties.UNUSED);
    return new ServiceAnswer(200, bytes, reply, null);
  }

  private String ofSession(ServiceRequest request, Reply reply) {
    if (request.kind() != Request.Kind.OPEN_SESSION) {
      return SessionResponse.closed();
    }
    Assignment known = replica.routing().assignment();
    long lease = Math.max(1, simulation.leaseNanos() / 1_000_000_000L);
    return SessionResponse.opened(SessionId.ofBytes(reply.response().body()), lease, reply.handle(), listed(known));
  }

  ServiceAnswer refusal(Failure failure) {
    Assignment known = replica.routing().assignment();
    byte[] bytes =
        ReplyWriter.fault(SOAP, failure, null, listed(known), "", null, MessageProperties.UNUSED);
    return new ServiceAnswer(SOAP.httpStatus(ReplyWriter.code(failure), 500), bytes, null, failure);
  }

  private ListedView listed(Assignment known) {
    List<ReplicaId> configured = IntStream.rangeClosed(1, simulation.size()).mapToObj(ReplicaId::new).toList();
    return ReplicaAddresses.of(known, configured, id -> address(id.number()).toString());
  }

  /** Sends the view to waiting polls. */
  private ServiceAnswer view() {
    Assignment known = replica.routing().assignment();
    String body = SessionResponse.awaited(listed(known));
    return new ServiceAnswer(200, ReplyWriter.message(SOAP, body, null, MessageProperties.UNUSED), null, null);
  }

  /** Waits for the answer of a request. */
  interface Client {
    void answer(ServiceAnswer answer);

    /** Whether it has closed its connection. */
    boolean isGone();
  }

  /** For a mutant: live objects always count as up to date. */
  private record Unchanging(AppliedState state) implements AppliedState {
    @Override
    public byte[] state(String resource) {
      return state.state(resource);
    }

    @Override
    public long stateVersion(String resource) {
      return 1;
    }

    @Override
    public long version(String resource) {
      return state.version(resource);
    }
  }

  static Failure occupied(String why) {
    return new Failure(FailureCode.Overloaded, why);
  }
}
