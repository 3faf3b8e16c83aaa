package org.understudy.session;

import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Server;
import org.apache.catalina.Session;
import org.apache.catalina.session.StandardSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.session.http.HandleCookie;
import org.understudy.session.http.RequestIdentity;
import org.understudy.session.management.HealthPages;
import org.understudy.session.management.SessionStatistics;
import org.understudy.session.member.Member;
import org.understudy.session.member.SettingsException;
import org.understudy.session.record.AttributeClasses;
import org.understudy.session.record.AttributeException;
import org.understudy.session.record.AttributeForm;
import org.understudy.session.record.SessionKeys;

/**
 * Replicates the sessions of a web application that is marked {@code <distributable/>}: the element {@code Manager} of its
 * {@code context.xml}. Each request of a session is executed once in the group, and answered when the session's new state is stable.
 * Sessions of a web application that is not marked stay in this Tomcat. The attributes of the element are in {@code docs/sessions.md}.
 */
public final class ReplicatedSessionManager extends ManagerAttributes {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedSessionManager.class);

  private final Runs runs = new Runs();
  private final SessionLocks locks = new SessionLocks();
  private final AttributeFailures attributeFailures = new AttributeFailures(System::nanoTime);
  private ReplicationValve valve;
  private volatile Member member;
  private AttributeForm form;
  private UpdateRequest updateRequests;
  private Answers answers;
  private SessionTimes times;
  private LocalShares held;
  private ExpiryRounds expiry;
  private SessionStatistics statistics;
  private HealthPages healthPages;
  private RequestListeners requestListeners;
  /** Joins the group when the server has started; null for none. */
  private LifecycleListener started;
  private boolean joined;
  private int checks;
  private volatile boolean warned;

  // ---- Tomcat's life cycle

  /** Adds the valve before those that Tomcat adds when the web application starts, as its authenticator. */
  @Override
  public void setContext(Context context) {
    super.setContext(context);
    if (context != null && valve == null) {
      valve = new ReplicationValve(this);
      context.getPipeline().addValve(valve);
    }
  }

  @Override
  protected void startInternal() throws LifecycleException {
    super.startInternal();
    Context context = getContext();
    if (context.getDistributable()) {
      open(context);
    } else {
      LOG.warn("The web application {} is not marked <distributable/> in its web.xml: its sessions are not replicated.", name(context));
    }
    setState(LifecycleState.STARTING);
  }

  private void open(Context context) throws LifecycleException {
    String group = getGroup() == null ? "sessions " + name(context) : getGroup();
    SortedMap<String, String> compared = new TreeMap<>();
    compared.put("duplicatesSeconds", Integer.toString(getDuplicatesSeconds()));
    compared.put("identityHeaders", String.join(",", listedHeaders()));
    compared.put("maxAnswer", Integer.toString(getMaxAnswer()));
    try {
      Member opened = Member.open(memberSettings(group), compared);
      form = new AttributeForm(new AttributeClasses(context.getLoader().getClassLoader(), listedClasses()));
      updateRequests = new UpdateRequest(new RequestIdentity(opened.secret()), listedHeaders());
      answers = new Answers(new HandleCookie(opened.secret()));
      held = newShares();
      times = new SessionTimes();
      opened.replica().observe(times);
      expiry = new ExpiryRounds(this, context.getLoader().getClassLoader());
      statistics = new SessionStatistics(group, opened.self(), times::size, locks::size);
      healthPages = new HealthPages(getHealth(), group, getStrategy(), opened.health(), statistics);
      member = opened;
    } catch (SettingsException | IOException e) {
      throw new LifecycleException("The sessions of " + name(context) + " cannot be replicated: " + e.getMessage(), e);
    }
    LOG.info(
        "The sessions of {} are replicated by replica {} of the group \"{}\". Answers up to {} bytes are kept for repeated requests; a"
            + " longer or asynchronous one is sent before the session is stable.",
        name(context), getReplica(), group, getMaxAnswer());
    context.getServletContext().setAttribute(GroupSessions.class.getName(), new SessionSearch(this));
    ForwardFilter.add(this, context);
    RefusedRunFilter.add(this, context);
    requestListeners = new RequestListeners(this, context);
    joinLater(context);
  }

  private static String name(Context context) {
    return context.getName().isEmpty() ? "/" : context.getName();
  }

  /** Joins when clients reach this Tomcat: when its connectors have started. */
  private void joinLater(Context context) {
    Server server = server(context);
    started =
        event -> {
          if (!event.getType().equals(Lifecycle.AFTER_START_EVENT)) {
            return;
          }
          if (event.getLifecycle() == context) {
            requestListeners.install();
          }
          if (server == null || server.getState() == LifecycleState.STARTED || event.getLifecycle() == server) {
            join();
          }
        };
    context.addLifecycleListener(started);
    if (server != null) {
      server.addLifecycleListener(started);
    }
  }

  /** Otherwise the server would keep a web application that has been undeployed. */
  private void removeListener(Context context) {
    if (started != null) {
      context.removeLifecycleListener(started);
      Server server = server(context);
      if (server != null) {
        server.removeLifecycleListener(started);
      }
      started = null;
    }
  }

  private static Server server(Context context) {
    for (Container container = context; container != null; container = container.getParent()) {
      if (container instanceof Engine engine && engine.getService() != null) {
        return engine.getService().getServer();
      }
    }
    return null;
  }

  private synchronized void join() {
    Member opened = member;
    if (opened != null && !joined) {
      joined = true;
      opened.join();
    }
  }

  @Override
  protected void stopInternal() throws LifecycleException {
    setState(LifecycleState.STOPPING);
    removeListener(getContext());
    if (isReplicated()) {
      expiry.close();
    }
    Member opened;
    synchronized (this) {
      opened = member;
      member = null;
      joined = false;
    }
    if (opened != null) {
      opened.close();
      statistics.close();
      requestListeners.remove();
    }
    sessions.clear();
    super.stopInternal();
  }

  /** Sessions are kept by the other replicas of the group, not in a file. */
  @Override
  public void load() {
    // Nothing to load.
  }

  /** Sessions are kept by the other replicas of the group, not in a file. */
  @Override
  public void unload() {
    // Nothing to unload.
  }

  // ---- what requests use

  /** Whether the web application's sessions are replicated. */
  boolean isReplicated() {
    return member != null;
  }

  /** The replica of the web application's sessions; null when they are not replicated. */
  public Replica replica() {
    Member opened = member;
    return opened == null ? null : opened.replica();
  }

  /**
   * Milliseconds since 1970 by the counted clock of the group, by which sessions end: neither a wrong clock nor one that is set changes
   * it.
   */
  long now() {
    Replica replica = replica();
    return replica == null ? System.currentTimeMillis() : replica.clocks().counted().millis();
  }

  UpdateRequest updateRequests() {
    return updateRequests;
  }

  Answers answers() {
    return answers;
  }

  SessionStatistics statistics() {
    return statistics;
  }

  RequestListeners requestListeners() {
    return requestListeners;
  }

  HealthPages healthPages() {
    return healthPages;
  }

  SessionTimes times() {
    return times;
  }

  /** Limits what requests in progress hold. */
  LocalShares held() {
    return held;
  }

  AttributeForm form() {
    return form;
  }

  SessionLocks locks() {
    return locks;
  }

  AttributeFailures attributeFailures() {
    return attributeFailures;
  }

  Runs runs() {
    return runs;
  }

  /** Reports once that answers are sent before their update is stable. */
  void warnUnprotected(String uri) {
    statistics.unprotectedAnswer();
    if (!warned) {
      warned = true;
      LOG.warn(
          "The answer to {} has more than {} bytes or is asynchronous. Such answers are sent before the session is stable, and a"
              + " repeated request does not get them again. This is reported once. See maxAnswer of the Manager element.",
          uri, getMaxAnswer());
    }
  }

  // ---- sessions

  @Override
  public Session createEmptySession() {
    return isReplicated() ? new ReplicatedSession(this, form) : new StandardSession(this);
  }

  /** Creates a session with an id of its own: ids of clients are never adopted. */
  @Override
  public Session createSession(String sessionId) {
    if (!isReplicated()) {
      maxActiveSessions = getMaxActiveSessions();
      return super.createSession(sessionId);
    }
    return runs.permitted() == null ? new LateCreation(this).create() : createWithin();
  }

  /** Creates a session within the transaction of the calling thread. */
  Session createWithin() {
    if (!runs.current().transaction().admitsSession(maxSessionsOfGroup())) {
      rejectedSessions++;
      throw refuse(
          "No session can be created: the group has " + maxSessionsOfGroup() + " sessions, the limit maxActiveSessions of the Manager"
              + " element. Nothing was changed. Retry later.");
    }
    Session created = super.createSession(null);
    created.setCreationTime(now());
    return created;
  }

  /** Fails the run of the calling thread, which cannot use a session now, and returns what the web application gets. */
  UnavailableSessionException refuse(String sentence) {
    runs.refuse(new Failure(FailureCode.Overloaded, sentence));
    return new UnavailableSessionException(sentence);
  }

  /** Whether the group has a session with this id. */
  boolean isKnown(String id) {
    return times.contains(id);
  }

  /** Adds a session that has got its id to the transaction of the calling thread. */
  void created(ReplicatedSession session) {
    runs.current().transaction().created(session);
  }

  @Override
  public Session findSession(String id) throws IOException {
    if (!isReplicated() || id == null) {
      return super.findSession(id);
    }
    Run run = runs.permitted();
    if (run != null) {
      return run.transaction().look(id);
    }
    return times.contains(id) ? live(id) : null;
  }

  /** The objects of an existing session at this replica. */
  ReplicatedSession live(String id) {
    return (ReplicatedSession)
        sessions.computeIfAbsent(
            id,
            existing -> {
              ReplicatedSession session = new ReplicatedSession(this, form);
              session.restore(existing, committedRecord(existing));
              return session;
            });
  }

  /** The objects of a session that ends, or gets another id, stay until that is stable: it can be undone, and other requests have them. */
  @Override
  public void remove(Session session, boolean update) {
    if (!isReplicated()) {
      super.remove(session, update);
    }
  }

  /** Counts a session whose end is stable. */
  void ended(ReplicatedSession session) {
    super.remove(session, true);
  }

  /** Removes the objects that an id has no more. */
  void forget(String id) {
    sessions.remove(id);
  }

  /** The attribute in the state that this replica has applied, for threads without a transaction; null for none, and after the stop. */
  Object committedAttribute(String id, String name) {
    Replica replica = replica();
    byte[] bytes = name == null || replica == null ? null : replica.state(SessionKeys.attribute(id, name));
    try {
      return bytes == null ? null : form.read(name, bytes);
    } catch (AttributeException e) {
      attributeFailures.logUnread(e);
      throw e;
    }
  }

  /** The bytes of the record in the state that this replica has applied; null for none, and after the stop. */
  byte[] committedRecord(String id) {
    Replica replica = replica();
    return replica == null ? null : replica.state(SessionKeys.record(id));
  }

  /** The sessions of the group. */
  @Override
  public int getActiveSessions() {
    return isReplicated() ? times.size() : super.getActiveSessions();
  }

  /** Called by Tomcat every few seconds, and does not wait. One replica of the group ends the sessions that have expired. */
  @Override
  public void backgroundProcess() {
    if (!isReplicated()) {
      super.backgroundProcess();
      return;
    }
    checks = (checks + 1) % processExpiresFrequency;
    if (checks == 0) {
      processExpires();
    }
  }

  @Override
  public void processExpires() {
    Replica replica = replica();
    if (replica == null) {
      super.processExpires();
      return;
    }
    sessions.keySet().removeIf(id -> !times.contains(id) && !locks.isUsed(id));
    if (replica.duties().has(Duty.EXPIRE_LEASES)) {
      expiry.begin(times.expired(now()));
    }
  }
}
