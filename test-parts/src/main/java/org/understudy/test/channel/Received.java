package org.understudy.test.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.test.Condition;

/** The events of one member of a group, in order. Thread-safe. */
public final class Received implements GroupReceiver {
  private final List<String> events = new ArrayList<>();
  private final List<GroupView> views = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @Override
  public void delivered(ReplicaId from, Message message) {
    add(from + ":" + ((Word) message).text());
  }

  @Override
  public synchronized void viewInstalled(GroupView view) {
    views.add(view);
    add("view " + view.members().stream().sorted().toList());
  }

  @Override
  public void failed(String why, Throwable cause) {
    add("failed: " + why);
  }

  private synchronized void add(String event) {
    events.add(event);
    threads.add(Thread.currentThread());
  }

  /** A message as {@code from:text}, a view as {@code view [1, 2]}, a failure as {@code failed: why}. */
  public synchronized List<String> events() {
    return List.copyOf(events);
  }

  /** The events after the last view with these members; the whole list must hold one. */
  public List<String> since(String view) {
    List<String> all = events();
    return all.subList(all.lastIndexOf(view) + 1, all.size());
  }

  /** The messages, without views. */
  public List<String> messages() {
    return events().stream().filter(event -> !event.startsWith("view ") && !event.startsWith("failed: ")).toList();
  }

  /** The views with their numbers and order. */
  public synchronized List<GroupView> views() {
    return List.copyOf(views);
  }

  /** The threads that called. */
  public synchronized List<Thread> threads() {
    return List.copyOf(threads);
  }

  /** Waits for an event. */
  public void await(String event) {
    await(event, events -> events.contains(event));
  }

  /** Waits until the events satisfy the condition. */
  public void await(String what, Predicate<List<String>> condition) {
    try {
      Condition.await(what, () -> condition.test(events()));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + " Events: " + abbreviated(), e);
    }
  }

  private List<String> abbreviated() {
    return events().stream().map(event -> event.length() > 200 ? event.substring(0, 200) + "…" : event).toList();
  }
}
