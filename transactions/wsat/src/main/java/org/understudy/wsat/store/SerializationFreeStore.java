package org.understudy.wsat.store;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.ats.internal.arjuna.objectstore.ShadowNoFileLockStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Narayana's store in files, which writes and reads no record with a Java-serialised object. Narayana's own code would deserialise one
 * when it recovers a transaction. {@code ObjectInputStream} reads nothing unless the bytes begin with four fixed bytes, and Narayana stores
 * a serialised object as it is, so a record without these bytes holds none. A record with them stays where it is and is reported; other
 * records are not affected. Each write is synced before it returns. Thread-safe.
 */
public final class SerializationFreeStore extends ShadowNoFileLockStore {
  private static final Logger LOG = LoggerFactory.getLogger(SerializationFreeStore.class);
  /** {@code ObjectStreamConstants.STREAM_MAGIC} and {@code STREAM_VERSION}. */
  private static final byte[] HEADER = {(byte) 0xac, (byte) 0xed, 0, 5};

  private final Set<Uid> reported = ConcurrentHashMap.newKeySet();

  /** Called by Narayana, by reflection. */
  public SerializationFreeStore(ObjectStoreEnvironmentBean settings) throws ObjectStoreException {
    super(settings);
  }

  @Override
  public InputObjectState read_committed(Uid id, String type) throws ObjectStoreException {
    return checked(super.read_committed(id, type), id, type);
  }

  @Override
  public InputObjectState read_uncommitted(Uid id, String type) throws ObjectStoreException {
    return checked(super.read_uncommitted(id, type), id, type);
  }

  @Override
  public boolean write_committed(Uid id, String type, OutputObjectState state) throws ObjectStoreException {
    check(id, type, state);
    return super.write_committed(id, type, state);
  }

  @Override
  public boolean write_uncommitted(Uid id, String type, OutputObjectState state) throws ObjectStoreException {
    check(id, type, state);
    return super.write_uncommitted(id, type, state);
  }

  private InputObjectState checked(InputObjectState state, Uid id, String type) throws ObjectStoreException {
    if (state != null && isSerialized(state.buffer())) {
      if (reported.add(id)) {
        LOG.error("The record {} of type {} in the directory {} holds a serialised Java object, which no version of Understudy writes. It "
            + "is not read, and its transaction is not recovered. Find out who wrote it, and remove the file.", id, type, storeRoot());
      }
      throw new ObjectStoreException("The record " + id + " holds a serialised Java object. It is not read.");
    }
    return state;
  }

  private static void check(Uid id, String type, OutputObjectState state) throws ObjectStoreException {
    if (isSerialized(state.buffer())) {
      throw new ObjectStoreException(
          "The record " + id + " of type " + type + " would hold a serialised Java object. It is not written. A participant must implement "
              + "PersistableATParticipant and not Serializable.");
    }
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
