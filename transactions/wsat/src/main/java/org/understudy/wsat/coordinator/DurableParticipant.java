package org.understudy.wsat.coordinator;

import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.webservices11.wsat.State;
import com.arjuna.webservices11.wsat.processors.CoordinatorProcessor;
import com.arjuna.wst11.stub.Durable2PCStub;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.IOException;
import java.io.StringReader;
import javax.xml.stream.XMLStreamException;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.staxutils.StaxUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Document;

/**
 * A durable participant in Narayana's list of a transaction, told by a {@link ConcurrentEngine}. Its record has the form of Narayana's. A
 * participant of a stored decision to commit is expected to answer after a restart, also if it was told before. Narayana expects answers of
 * those only that it had not told, and makes this by reflection from a record. Its text names the participant in Narayana's log lines.
 */
public final class DurableParticipant extends Durable2PCStub {
  private static final Logger LOG = LoggerFactory.getLogger(DurableParticipant.class);
  /** The states in a record, as {@code ParticipantStub} stores them. */
  private static final int ACTIVE = 0;
  private static final int PREPARED = 2;
  private static final int COMMITTING = 4;
  private static final String ELEMENT = "twoPCParticipant";

  /** Null before it has one, and for a participant that Narayana tells to abort. */
  private ConcurrentEngine engine;

  /** Called by Narayana, by reflection. */
  public DurableParticipant() throws Exception { // As Narayana declares it.
    super();
  }

  /** Returns the participant of an engine. */
  static DurableParticipant of(ConcurrentEngine engine) throws Exception {
    DurableParticipant created = new DurableParticipant();
    Document stored = StaxUtils.read(new StringReader("<" + ELEMENT + "/>"));
    stored.getDocumentElement().setTextContent(engine.getParticipant().toString());
    if (!created.take(engine.getId(), true, ACTIVE, StaxUtils.toString(stored.getDocumentElement()))) {
      throw new IOException("The endpoint reference of the participant cannot be read.");
    }
    return created;
  }

  ConcurrentEngine engine() {
    return engine;
  }

  @Override
  public boolean restoreState(InputObjectState in) {
    try {
      String id = in.unpackString();
      boolean durable = in.unpackBoolean();
      int state = in.unpackInt();
      String stored = in.unpackString();
      if ((state == PREPARED || state == COMMITTING) && CoordinatorProcessor.getProcessor().getCoordinator(id) == null) {
        String reference = StaxUtils.read(new StringReader(stored)).getDocumentElement().getTextContent();
        StreamSource source = new StreamSource(new StringReader(reference));
        engine = new ConcurrentEngine(id, new W3CEndpointReference(source), State.STATE_PREPARED_SUCCESS);
      }
      return take(id, durable, state, stored);
    } catch (IOException | XMLStreamException e) {
      LOG.error("The record of a participant of WS-AtomicTransaction cannot be read. Its transaction stays undecided there.", e);
      return false;
    }
  }

  /** Takes the engine with this id from Narayana's table, as Narayana's own class does when it reads a record. */
  private boolean take(String id, boolean durable, int state, String stored) throws IOException {
    if (CoordinatorProcessor.getProcessor().getCoordinator(id) instanceof ConcurrentEngine known) {
      engine = known;
    }
    OutputObjectState out = new OutputObjectState();
    out.packString(id);
    out.packBoolean(durable);
    out.packInt(state);
    out.packString(stored);
    return super.restoreState(new InputObjectState(out));
  }

  /** Where it is, for people. */
  @Override
  public String toString() {
    return engine == null ? super.toString() : "the participant at " + engine.address();
  }
}
