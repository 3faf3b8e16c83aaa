package org.understudy.wsat.participant;

import com.arjuna.wst.Durable2PCParticipant;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.nio.charset.StandardCharsets;
import org.jboss.jbossts.xts.recovery.participant.at.XTSATRecoveryModule;

/** Makes the participants of this replica again after a restart, from the bytes that they stored. Deserialises nothing. Thread-safe. */
public final class ParticipantRecovery implements XTSATRecoveryModule {
  private final Registrations registrations;

  ParticipantRecovery(Registrations registrations) {
    this.registrations = registrations;
  }

  @Override
  public Durable2PCParticipant deserialize(String id, ObjectInputStream stream) throws InvalidObjectException {
    throw new InvalidObjectException("The participant " + id + " is stored as a serialised Java object. It is not read.");
  }

  @Override
  public Durable2PCParticipant recreate(String id, byte[] stored) {
    return id.startsWith(Registrations.PREFIX) && stored != null
        ? registrations.recovered(new String(stored, StandardCharsets.UTF_8))
        : null;
  }

  @Override
  public void endScan() {
    // Which transactions are prepared is known from the log of the group.
  }
}
