package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.bind.annotation.XmlElement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.state.letter.Letter;
import org.understudy.state.letter.ObjectFactory;

/** What is captured is restored as it was; what cannot be is refused when it is captured. */
class FaithfulStateTest {
  private static String notCaptured(Object state) {
    ObjectState captured = StateModel.of(state.getClass(), StateRules.DEFAULTS).stateOf(state);
    return assertThrows(StateException.class, captured::captureState).getMessage();
  }

  private static <T> T restored(T from, T into) {
    StateModel model = StateModel.of(from.getClass(), StateRules.DEFAULTS);
    model.stateOf(into).restoreState(model.stateOf(from).captureState());
    return into;
  }

  /** An element that contains elements of its own type. */
  public static class Nest {
    @XmlElement public Nest inner;
  }

  static class XmlState {
    @ReplicatedState(xml = Letter.class) Letter letter = new Letter();
    @ReplicatedState(xml = Nest.class) Nest nest = new Nest();
  }

  @Test
  void xmlThatNoReplicaCouldReadIsNotCaptured() {
    for (String text : List.of("\u0001", "a\u000bb", "\ufffe")) {
      XmlState state = new XmlState();
      state.letter.content = new ObjectFactory().createText(text);
      String message = notCaptured(state);
      assertTrue(message.contains("XmlState.letter: ") && message.contains("no replica could read it"), message);
    }
  }

  @Test
  void xmlDeeperThanTheLimitsOfReadingIsNotCaptured() {
    XmlState state = new XmlState();
    state.nest.inner = new Nest();
    assertNotNull(restored(state, new XmlState()).nest.inner);
    for (int depth = 0; depth < 1_100; depth++) {
      Nest around = new Nest();
      around.inner = state.nest;
      state.nest = around;
    }
    String message = notCaptured(state);
    assertTrue(message.contains("no replica could read it") && message.contains("epth"), message);
  }
}
