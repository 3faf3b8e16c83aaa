package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.understudy.replication.api.ReplicatedState;

class TargetsTest {
  /** A service's interface. */
  public interface Adder {
    int add(int amount);
  }

  /** A service. */
  public static class Sum implements Adder {
    @ReplicatedState private int sum;
    /** Refers to the service. */
    @ReplicatedState private final List<Sum> self = new ArrayList<>(List.of(this));

    @Override
    public int add(int amount) {
      sum += amount;
      return sum;
    }
  }

  private static Adder proxied(Object target, boolean byClass) {
    ProxyFactory factory = new ProxyFactory(target);
    factory.setProxyTargetClass(byClass);
    factory.addAdvice((MethodBeforeAdvice) (method, arguments, on) -> {});
    return (Adder) factory.getProxy();
  }

  @Test
  void theStateOfAProxiedObjectIsCaptured() {
    StateModel model = StateModel.of(Sum.class, StateRules.DEFAULTS);
    for (boolean byClass : new boolean[] {true, false}) {
      Sum target = new Sum();
      Adder proxy = proxied(proxied(target, byClass), false);
      assertNotSame(target, proxy);
      assertSame(target, Targets.unwrap(proxy));
      assertEquals(3, proxy.add(3));
      Sum into = new Sum();
      Adder other = proxied(into, byClass);
      model.stateOf(Targets.unwrap(other)).restoreState(model.stateOf(Targets.unwrap(proxy)).captureState());
      assertEquals(4, other.add(1));
      assertSame(into, into.self.get(0));
    }
  }

  @Test
  void aGeneratedSubclassHasTheStateOfItsSuperclass() {
    Adder proxy = proxied(new Sum(), true);
    assertSame(Sum.class, Targets.typeOf(proxy.getClass()));
    assertSame(Sum.class, Targets.typeOf(Sum.class));
    // As where a container instantiates the subclass itself: the object refers to itself by its own class.
    Sum generated = (Sum) proxy;
    StateModel model = StateModel.of(Targets.typeOf(generated.getClass()), StateRules.DEFAULTS);
    Sum into = new Sum();
    model.stateOf(into).restoreState(model.stateOf(generated).captureState());
    assertEquals(1, into.add(1));
  }

  @Test
  void anUnknownProxyIsRejected() {
    Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Adder.class}, (on, method, arguments) -> 1);
    String message = assertThrows(StateException.class, () -> Targets.unwrap(proxy)).getMessage();
    assertTrue(message.contains("cannot be found"), message);
  }
}
