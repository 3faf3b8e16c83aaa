package org.understudy.wsat.store;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.state.OutputObjectState;

/**
 * A store of whole records that writes and reads no record with a Java-serialised object. Narayana's own code would deserialise one
 * when it recovers a transaction. {@code ObjectInputStream} reads nothing unless the bytes begin with four fixed bytes, and Narayana stores
 * a serialised object as it is, so a record without these bytes holds none. A record with them stays where it is and is reported; other
 * records are not affected. Each write is durable when it returns. Thread-safe.
 */
public final class SerializationFreeStore extends WholeRecordStore {
  /** {@code ObjectStreamConstants.STREAM_MAGIC} and {@code STREAM_VERSION}. */
  private static final byte[] HEADER = {(byte) 0xac, (byte) 0xed, 0, 5};

  /** Called by Narayana, by reflection. */
  public SerializationFreeStore(ObjectStoreEnvironmentBean settings) throws ObjectStoreException {
    super(settings);
  }

  @Override
  String fault(byte[] content) {
    return isSerialized(content) ? "holds a serialised Java object, which no version of Understudy writes" : null;
  }

  @Override
  protected boolean write_state(Uid id, String type, OutputObjectState state, int kind) throws ObjectStoreException {
    if (isSerialized(state.buffer())) {
      throw new ObjectStoreException(
          "The record " + id + " of type " + type + " would hold a serialised Java object. It is not written. A participant must implement "
              + "PersistableATParticipant and not Serializable.");
    }
    return super.write_state(id, type, state, kind);
  }

  private static boolean isSerialized(byte[] bytes) {
    for (int at = 0; at + HEADER.length <= bytes.length; at++) {
      if (bytes[at] == HEADER[0] && bytes[at + 1] == HEADER[1] && bytes[at + 2] == HEADER[2] && bytes[at + 3] == HEADER[3]) {
        return true;
      }
    }
    return false;
  }
}
