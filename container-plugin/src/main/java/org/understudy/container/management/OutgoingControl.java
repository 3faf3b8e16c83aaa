package org.understudy.container.management;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.ObjectName;
import org.understudy.container.configuration.Configuration;
import org.understudy.outbox.DeadCall;
import org.understudy.outbox.DeadLetters;
import org.understudy.replication.runtime.management.RegisteredBean;

/** Lets the operator decide about outgoing calls through JMX, which only the operating system user of the server can reach. */
public final class OutgoingControl implements OutgoingControlMXBean, AutoCloseable {
  private static final long ANSWER_SECONDS = 60;

  private final DeadLetters letters;
  /** Null when the registration failed. */
  private RegisteredBean registration;

  private OutgoingControl(DeadLetters letters) {
    this.letters = letters;
  }

  /**
   * Registers the control of a service's outgoing calls at this replica. If that fails, it logs a warning.
   *
   * @param service its name, unique among those of this replica
   */
  public static OutgoingControl register(Configuration configuration, String service, DeadLetters letters) {
    OutgoingControl control = new OutgoingControl(letters);
    control.registration =
        RegisteredBean.of(control, name(configuration, service), "The outgoing calls of " + service);
    return control;
  }

  /** Returns the MBean name of a service's control at the replica of this configuration. */
  public static ObjectName name(Configuration configuration, String service) {
    return RegisteredBean.name(
        "type=OutgoingCalls,group=" + ObjectName.quote(configuration.group()) + ",replica="
            + configuration.self() + ",service=" + ObjectName.quote(service));
  }

  @Override
  public String deadLetters() {
    StringBuilder text = new StringBuilder();
    for (DeadCall dead : letters.list()) {
      text.append(dead.messageId()).append(" to ").append(dead.destination()).append(", ")
          .append(dead.answered() ? "answered" : "not answered").append(", attempts ").append(dead.attempts()).append(": ")
          .append(dead.reason()).append('\n');
    }
    return text.isEmpty() ? "There are no dead letters.\n" : text.toString();
  }

  @Override
  public String retry(String messageId) {
    await(letters.retry(messageId), messageId);
    return "The call " + messageId + " is retried.";
  }

  @Override
  public String drop(String messageId) {
    await(letters.drop(messageId), messageId);
    return "The call " + messageId + " is dropped.";
  }

  private static void await(CompletableFuture<Void> decided, String messageId) {
    try {
      decided.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The wait for the group was interrupted. List the dead letters for the outcome.", e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "The group did not answer within " + ANSWER_SECONDS + " s. List the dead letters for the outcome.", e);
    } catch (ExecutionException e) {
      // Without the cause: the operator's console may lack its class.
      throw new IllegalStateException("Nothing was decided about the call " + messageId + ": " + e.getCause().getMessage());
    }
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
  }
}
