package org.understudy.wsat.coordinator;

import com.arjuna.webservices11.wsat.State;
import com.arjuna.webservices11.wsat.processors.CoordinatorProcessor;
import com.arjuna.wst11.messaging.engines.CoordinatorEngine;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.StringReader;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.ws.addressing.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * The coordinator's side of one durable participant. Narayana tells participants a decision one after another, and waits as long for a dead
 * process as for one that stands still. This class has all of them told when the first one is, and does not wait for a server that accepts
 * no connection: what follows is what follows Narayana's wait. Thread-safe.
 */
final class ConcurrentEngine extends CoordinatorEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ConcurrentEngine.class);
  /** Between looks at the server of a participant that has not answered. */
  private static final long LOOK_MS = 1_000;
  private static final RefusalLog GONE = new RefusalLog();

  /** What the coordinator asks a participant for. */
  enum Message {
    PREPARE(State.STATE_PREPARING, Set.of(State.STATE_ACTIVE), "Its transaction aborts."),
    COMMIT(
        State.STATE_COMMITTING, Set.of(State.STATE_PREPARED_SUCCESS, State.STATE_COMMITTING),
        "Its transaction is committed, which it is told every understudy.wsat.recovery.s until it acknowledges."),
    ROLLBACK(
        State.STATE_ABORTING, Set.of(State.STATE_ACTIVE, State.STATE_PREPARING, State.STATE_PREPARED_SUCCESS),
        "Its transaction is aborted, which it is told when it asks.");

    /** The state of a participant that has not answered. */
    private final State unanswered;
    /** The states in which the message is sent. */
    private final Set<State> open;
    private final String consequence;

    Message(State unanswered, Set<State> open, String consequence) {
      this.unanswered = unanswered;
      this.open = open;
      this.consequence = consequence;
    }
  }

  private final String address;
  private volatile Participants participants = new Participants();
  /** A decision of which the participant is told beside others, until Narayana asks for the outcome; null for none. */
  private final AtomicReference<FutureTask<State>> begun = new AtomicReference<>();

  /**
   * Creates the side of a participant, which receives its messages from then on.
   *
   * @param state active, or prepared for one of a stored decision
   */
  ConcurrentEngine(String id, W3CEndpointReference participant, State state) {
    super(id, true, participant, state != State.STATE_ACTIVE, state);
    this.address = addressIn(participant);
  }

  private static String addressIn(W3CEndpointReference reference) {
    try {
      Document document = StaxUtils.read(new StringReader(reference.toString()));
      NodeList addresses = document.getElementsByTagNameNS(Names.WSA_NAMESPACE_NAME, Names.WSA_ADDRESS_NAME);
      return addresses.getLength() == 0 ? "" : addresses.item(0).getTextContent().strip();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("An endpoint reference is not XML.", e);
    }
  }

  /** Where the participant is. */
  String address() {
    return address;
  }

  /** From now on, it is told decisions together with these. */
  void join(Participants others) {
    others.add(this);
    participants = others;
  }

  @Override
  public State prepare() {
    return ask(Message.PREPARE);
  }

  @Override
  public State commit() {
    return decide(Message.COMMIT);
  }

  @Override
  public State rollback() {
    State state = decide(Message.ROLLBACK);
    if (state == State.STATE_ABORTING) {
      // Its vote is answered with Rollback from now on, like that for any unknown transaction.
      CoordinatorProcessor.getProcessor().deactivateCoordinator(this);
    }
    return state;
  }

  private State decide(Message decision) {
    participants.tellOthers(this, decision);
    FutureTask<State> task = begun.getAndSet(null);
    return task == null ? ask(decision) : await(task, decision);
  }

  /** Begins to tell the participant a decision, if that is open. */
  void begin(Message decision) {
    FutureTask<State> task = task(decision);
    if (isOpen(decision) && isStarted(task)) {
      begun.set(task);
    }
  }

  private State ask(Message message) {
    FutureTask<State> task = task(message);
    if (!isStarted(task)) {
      task.run();
    }
    return await(task, message);
  }

  private boolean isOpen(Message message) {
    State now = getState();
    return now != null && message.open.contains(now);
  }

  private FutureTask<State> task(Message message) {
    return new FutureTask<>(() -> isOpen(message) && isGone(message) ? message.unanswered : send(message));
  }

  private State send(Message message) {
    return switch (message) {
      case PREPARE -> super.prepare();
      case COMMIT -> super.commit();
      case ROLLBACK -> super.rollback();
    };
  }

  /** Whether a thread was free for the task. */
  private static boolean isStarted(FutureTask<State> task) {
    DecisionSenders senders = DecisionSenders.current();
    try {
      if (senders != null) {
        senders.execute(task);
      }
      return senders != null;
    } catch (RejectedExecutionException e) {
      LOG.debug("The caller sends the message itself.", e);
      return false;
    }
  }

  /** Waits for the participant's answer, but not for that of a server that accepts no connection any more. */
  private State await(FutureTask<State> task, Message message) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (isGone(message) && !task.isDone()) {
            return message.unanswered;
          }
        } catch (InterruptedException e) {
          // As Narayana, whose wait goes on.
          interrupted = true;
        } catch (ExecutionException e) {
          throw new IllegalStateException("The participant at " + address + " could not be sent " + message + ".", e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isGone(Message message) {
    if (!ConnectionProbe.isRefused(address)) {
      return false;
    }
    if (GONE.isDue(message + " " + address, System.nanoTime())) {
      LOG.warn(
          "The participant at {} accepts no connection. {} Start its server, or restore its network.", RefusalLog.printable(address),
          message.consequence);
    }
    return true;
  }
}
