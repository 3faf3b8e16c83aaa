package org.understudy.session;

import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.Serializable;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.catalina.realm.GenericPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.session.record.AttributeException;
import org.understudy.session.record.AttributeForm;
import org.understudy.session.record.SessionKeys;
import org.understudy.session.record.SessionRecord;

/**
 * The objects of one session at this replica, restored from the replicated state when another replica has changed it. It is used within
 * the transaction of a request, which holds the session's lock. Outside one, attributes can be read as they are stable, and nothing can
 * be changed.
 *
 * <p>More than 400 lines because Tomcat's session is one class: attributes, notes, user, id and life each belong to the use.
 */
final class ReplicatedSession extends SessionInUse {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedSession.class);
  /** How often an attribute is written that another thread of the web application changes meanwhile. */
  private static final int MAX_CAPTURES = 10;
  /** In place of an attribute that has not been restored. */
  private static final Object ABSENT = new Object();

  private final transient ReplicatedSessionManager replicated;
  private final transient AttributeForm form;
  /** The attributes that have been restored or written here, by name. */
  private final transient Map<String, SessionUse.Loaded> loaded = new HashMap<>();
  /** The generation of the record that the fields show. */
  private transient long generation = -1;

  ReplicatedSession(ReplicatedSessionManager manager, AttributeForm form) {
    super(manager);
    this.replicated = manager;
    this.form = form;
  }

  // ---- the transaction

  /**
   * Begins to be used by a transaction that holds the lock.
   *
   * @param bytes of the session's record
   * @return the record
   */
  SessionRecord enter(SessionTransaction transaction, byte[] bytes, long recordGeneration) {
    SessionRecord record = decode(bytes);
    SessionUse use = new SessionUse(transaction, record, id);
    setUse(use);
    use.recordGeneration = recordGeneration;
    isNew = false;
    isValid = true;
    if (recordGeneration == generation) {
      return record;
    }
    show(record);
    attributes.keySet().retainAll(record.attributes());
    loaded.keySet().retainAll(record.attributes());
    record.attributes().forEach(name -> attributes.putIfAbsent(name, ABSENT));
    generation = recordGeneration;
    return record;
  }

  private void show(SessionRecord record) {
    creationTime = record.created();
    maxInactiveInterval = record.maxInactiveSeconds();
    accessedAt(record.accessed());
    authType = record.authType();
    principal = user(record);
  }

  /** Begins to be used by the transaction that creates it. */
  void enterNew(SessionTransaction transaction) {
    setUse(new SessionUse(transaction, null, null));
  }

  /** Adds what the transaction has changed. */
  void capture(List<StateChange> changes) {
    SessionUse use = use();
    if (!isValid) {
      captureEnd(changes);
      return;
    }
    if (use.idBefore != null && !use.idBefore.equals(id)) {
      captureEnd(changes);
    }
    boolean anew = use.idBefore == null || !use.idBefore.equals(id);
    Set<String> names = new TreeSet<>(use.written);
    names.addAll(use.read);
    for (String name : names) {
      Object value = attributes.get(name);
      if (value != null) {
        captureAttribute(name, value, anew, changes);
      } else if (!anew && use.before.attributes().contains(name)) {
        changes.add(new StateChange(SessionKeys.attribute(id, name), null));
      }
    }
    long now = use.transaction.isOther(id) ? use.before.accessed() : replicated.now();
    SessionRecord same = recordAt(use.before == null ? now : use.before.accessed());
    if (anew || !same.equals(use.before) || use.before.isAccessDue(now)) {
      String key = SessionKeys.record(id);
      use.recordGeneration = use.transaction.reading(key);
      changes.add(new StateChange(key, recordAt(now).encode()));
    }
  }

  private void captureAttribute(String name, Object value, boolean anew, List<StateChange> changes) {
    SessionUse use = use();
    SessionUse.Loaded before = loaded.get(name);
    boolean written = use.written.contains(name);
    if (!anew && !written && AttributeForm.isImmutable(value)) {
      return;
    }
    String key = SessionKeys.attribute(id, name);
    byte[] state = use.transaction.state(key);
    for (int attempt = 1; ; attempt++) {
      try {
        byte[] bytes = form.write(name, value, state == null ? 0 : state.length);
        if (anew || before == null || !before.isEqual(bytes, state)) {
          form.verify(name, value, bytes);
          use.captured.put(name, new SessionUse.Loaded(use.transaction.reading(key), null));
          changes.add(new StateChange(key, bytes));
        }
        return;
      } catch (AttributeException e) {
        if (attempt < MAX_CAPTURES && e.mayPass()) {
          continue;
        }
        byte[] last = written || !e.mayPass() ? null : use.transaction.state(SessionKeys.attribute(use.idBefore, name));
        if (last == null) {
          throw e;
        }
        replicated.attributeFailures().logUncaptured(e);
        if (anew) {
          changes.add(new StateChange(key, last));
        }
        return;
      }
    }
  }

  /** Removes the session under the id that it had before. */
  private void captureEnd(List<StateChange> changes) {
    SessionUse use = use();
    if (use.before != null) {
      for (String name : use.before.attributes()) {
        changes.add(new StateChange(SessionKeys.attribute(use.idBefore, name), null));
      }
      changes.add(new StateChange(SessionKeys.record(use.idBefore), null));
    }
  }

  private SessionRecord recordAt(long accessed) {
    List<String> roles = principal instanceof GenericPrincipal generic ? List.of(generic.getRoles()) : List.of();
    return new SessionRecord(
        creationTime, accessed, maxInactiveInterval, authType, principal == null ? null : principal.getName(), roles,
        use().names(attributes.keySet()));
  }

  /** Ends the use: the objects show the state that was captured. */
  void committed() {
    SessionUse use = use();
    if (!isValid) {
      replicated.ended(this);
      replicated.forget(id);
    }
    if (use.idBefore != null && !id.equals(use.idBefore)) {
      replicated.forget(use.idBefore);
    }
    loaded.keySet().retainAll(attributes.keySet());
    loaded.putAll(use.captured);
    generation = use.recordGeneration;
    setUse(null);
  }

  /**
   * Ends the use: the next one restores the session's content. Another request may have looked the object up already, so the session has
   * its id again and is valid, unless the use has created it.
   */
  void discard() {
    SessionUse use = use();
    attributes.clear();
    loaded.clear();
    generation = -1;
    isValid = use.idBefore != null;
    if (!id.equals(use.idBefore)) {
      replicated.forget(id);
    }
    id = isValid ? use.idBefore : id;
    setUse(null);
  }

  // ---- attributes

  /** Restores the attribute unless its object is up to date. Within a transaction it stays the same from the first access on. */
  private void load(SessionUse running, String name) {
    if (!attributes.containsKey(name) || running.written.contains(name) || !running.read.add(name)) {
      return;
    }
    String key = SessionKeys.attribute(running.idBefore == null ? id : running.idBefore, name);
    long keyGeneration = running.transaction.reading(key);
    SessionUse.Loaded before = loaded.get(name);
    if (before != null && before.generation() == keyGeneration) {
      return;
    }
    byte[] bytes = running.transaction.state(key);
    if (bytes == null) {
      // Another replica has removed it since the record was read: certification refuses this execution.
      attributes.remove(name);
      return;
    }
    Object value = read(name, bytes);
    if (value == null) {
      return;
    }
    attributes.put(name, value);
    byte[] written = AttributeForm.isImmutable(value) ? bytes : form.write(name, value, bytes.length);
    loaded.put(name, new SessionUse.Loaded(keyGeneration, Arrays.equals(written, bytes) ? null : AttributeForm.digest(written)));
    if (value instanceof HttpSessionActivationListener listener) {
      listener.sessionDidActivate(new HttpSessionEvent(getSession()));
    }
  }

  /** The attribute; null for one that cannot be read while the session ends: it ends without that attribute's listeners. */
  private Object read(String name, byte[] bytes) {
    try {
      return form.read(name, bytes);
    } catch (AttributeException e) {
      if (!expiring && isValid) {
        // The next access fails too, and the state keeps its bytes.
        use().read.remove(name);
        replicated.attributeFailures().logUnread(e);
        throw e;
      }
      LOG.warn("A session ends with an attribute that cannot be read: {}", e.details());
      attributes.remove(name);
      return null;
    }
  }

  private void loadAll(SessionUse running) {
    for (String name : attributes.keySet()) {
      load(running, name);
    }
  }

  @Override
  public Object getAttribute(String name) {
    SessionUse running = current();
    if (running == null) {
      return name == null ? null : runs().copy(replicated, getIdInternal(), name);
    }
    if (name != null) {
      load(running, name);
    }
    return super.getAttribute(name);
  }

  @Override
  public Enumeration<String> getAttributeNames() {
    return Collections.enumeration(current() == null ? committedNames() : names());
  }

  private List<String> committedNames() {
    SessionRecord record = committedRecord();
    return record == null ? List.of() : ReplicatedNotes.visible(record.attributes());
  }

  private List<String> names() {
    return ReplicatedNotes.visible(attributes.keySet());
  }

  @Override
  protected String[] keys() {
    return names().toArray(new String[0]);
  }

  @Override
  public void setAttribute(String name, Object value, boolean notify) {
    SessionUse running = changing();
    if (name != null && value != null) {
      if (!(value instanceof Serializable)) {
        String subject = name + " of the class " + value.getClass().getName();
        throw refusal(
            subject, "The session attribute " + subject + " does not implement Serializable and cannot be replicated. Make it Serializable,"
                + " or keep it out of the session.");
      }
      load(running, name);
      super.setAttribute(name, value, notify);
      running.written.add(name);
    } else {
      super.setAttribute(name, value, notify);
    }
  }

  /** Takes the object that a request has read before it used the session, and has changed in place; not if it has set the attribute. */
  void takeChanged(String name, Object value) {
    SessionUse running = use();
    if (attributes.containsKey(name) && running.written.add(name)) {
      attributes.put(name, value);
    }
  }

  /** Fails the request. The web application and the log get the details, the client does not. */
  private IllegalArgumentException refusal(String subject, String details) {
    replicated.attributeFailures().log(subject, details);
    runs().refuse(new Failure(FailureCode.ExecutionFailed, AttributeException.NOT_REPLICATED));
    return new IllegalArgumentException(details);
  }

  @Override
  protected void removeAttributeInternal(String name, boolean notify) {
    SessionUse running = changing();
    if (name != null) {
      load(running, name);
      running.written.add(name);
    }
    super.removeAttributeInternal(name, notify);
  }

  // ---- notes

  @Override
  public Object getNote(String name) {
    String attribute = ReplicatedNotes.attribute(name);
    SessionUse running = attribute == null || isAbsent(attribute) ? null : current();
    if (running == null) {
      return super.getNote(name);
    }
    load(running, attribute);
    return attributes.get(attribute);
  }

  /** Whether a request that does not use the session sees without using it that there is no such note, as an authenticator does. */
  private boolean isAbsent(String attribute) {
    SessionRecord record = isUsedHere() ? null : committedRecord();
    return record != null && !record.attributes().contains(attribute);
  }

  @Override
  public void setNote(String name, Object value) {
    String attribute = ReplicatedNotes.attribute(name);
    SessionUse running = attribute == null ? null : current();
    if (running == null) {
      super.setNote(name, value);
    } else {
      load(running, attribute);
      attributes.put(attribute, value);
      running.written.add(attribute);
    }
  }

  @Override
  public void removeNote(String name) {
    String attribute = ReplicatedNotes.attribute(name);
    SessionUse running = attribute == null ? null : current();
    if (running == null) {
      super.removeNote(name);
    } else {
      load(running, attribute);
      attributes.remove(attribute);
      running.written.add(attribute);
    }
  }

  // ---- the life of the session

  @Override
  public void setId(String id, boolean notify) {
    if (this.id != null) {
      SessionUse running = changing();
      loadAll(running);
      running.transaction.renamed(id, this);
      super.setId(id, notify);
      return;
    }
    super.setId(id, false);
    replicated.created(this);
    if (notify) {
      tellNew();
    }
  }

  /**
   * Begins to show a session that exists.
   *
   * @param bytes of its record; null when this replica does not know it any more
   */
  void restore(String existing, byte[] bytes) {
    id = existing;
    isValid = true;
    SessionRecord record = bytes == null ? null : decode(bytes);
    if (record != null) {
      show(record);
      lastAccessedTime = thisAccessedTime;
    }
  }

  @Override
  public void expire(boolean notify) {
    try {
      changing();
    } catch (UnavailableSessionException e) {
      Run run = runs().current();
      if (run == null || !run.isRefused() || run.names(getIdInternal())) {
        throw e;
      }
      // The run is undone. A listener that ends another session, at a login, would have the exception logged as an error.
      LOG.debug("Another session has not been ended by a run that is undone.", e);
      return;
    }
    super.expire(notify);
  }

  @Override
  public void setPrincipal(Principal principal) {
    changing();
    if (principal != null && !(principal instanceof GenericPrincipal)) {
      String type = principal.getClass().getName();
      throw refusal(
          "user of the class " + type, "The user " + principal.getName() + " is of the class " + type
              + ", whose roles cannot be replicated. Use a realm whose users are of the class " + GenericPrincipal.class.getName() + ".");
    }
    super.setPrincipal(principal);
  }

  @Override
  public void setAuthType(String authType) {
    changing();
    super.setAuthType(authType);
  }

  @Override
  public void setMaxInactiveInterval(int interval) {
    // Without an id, it is being created.
    if (id != null) {
      changing();
    }
    super.setMaxInactiveInterval(interval);
  }
}
