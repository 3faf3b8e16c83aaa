package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.Image;

/** A resource is created here, and another replica's update of it is applied in the same step, before the creation is committed here. */
class CreatedResourceTest {
  private final Image image = new Image(true);
  private final Resources resources = new Resources(image, true, Note::new, "http://here/services/Notes", 10);

  private static final class Note implements StateCapture {
    private byte text;

    @Override
    public byte[] captureState() {
      return new byte[] {text};
    }

    @Override
    public void restoreState(byte[] state) {
      text = state[0];
    }
  }

  private ResourceTransaction begun(String id) {
    ResourceTransaction transaction = resources.transaction(id, false);
    assertTrue(transaction.request(() -> {}));
    transaction.begin();
    return transaction;
  }

  /** Creates a note with text 1 at update 1, and commits it here after this change, which another replica made with update 2. */
  private String create(byte[] changed) {
    ResourceTransaction creation = begun(null);
    Note note = new Note();
    note.text = 1;
    String id = creation.create(note, null);
    List<StateChange> changes = new ArrayList<>(creation.capture(true));
    image.apply(1, changes, true);
    image.apply(2, List.of(new StateChange(id, changed)), false);
    creation.commit();
    creation.release();
    return id;
  }

  @Test
  void theNextTransactionSeesTheUpdateOfTheOtherReplica() {
    ResourceTransaction next = begun(create(new byte[] {2}));
    assertEquals(2, ((Note) next.current()).text);
    next.release();
  }

  @Test
  void theNextTransactionSeesThatTheOtherReplicaDestroyedIt() {
    ResourceTransaction next = begun(create(null));
    assertNull(next.object());
    next.release();
  }
}
