package org.understudy.container.service;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.execution.KeyScope;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.ReplayedState;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.routing.Routing;
import org.understudy.state.ObjectState;
import org.understudy.state.StateException;
import org.understudy.state.StateFields;
import org.understudy.state.StateModel;
import org.understudy.state.StateRules;
import org.understudy.state.Targets;
import org.understudy.state.check.RestoreCheck;
import org.understudy.wsrf.resource.Resources;

/**
 * Captures the state of a service class or of a state class: by its own {@link StateCapture}, or by its {@link ReplicatedState}
 * annotations. Thread-safe.
 */
public final class ServiceState {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceState.class);

  private final Class<?> type;
  /** Null when the class captures its own state. */
  private final StateModel model;
  /** Null unless {@code understudy.check} is set. Not for an {@link IncrementalState}, which a check would restore without its updates. */
  private final RestoreCheck check;
  private volatile String ownShape = "";

  private ServiceState(Class<?> type, StateModel model, RestoreCheck check) {
    this.type = type;
    this.model = model;
    this.check = check;
  }

  /** Whether the class declares a state that can be captured. */
  static boolean isCaptured(Class<?> type) {
    return StateCapture.class.isAssignableFrom(type) || StateFields.isMarked(type);
  }

  /**
   * Examines a class at deployment.
   *
   * @param bean may be a subclass that a container has generated
   * @throws ConfigurationException when its state, or that of a new object of it, cannot be captured
   */
  public static ServiceState of(Class<?> bean, Configuration configuration) throws ConfigurationException {
    // The name of a generated class may differ between replicas.
    Class<?> type = Targets.typeOf(bean);
    boolean marked = StateFields.isMarked(type);
    if (marked && StateCapture.class.isAssignableFrom(type)) {
      throw new ConfigurationException(
          "The class " + type.getName() + " implements StateCapture and is marked @ReplicatedState. Remove one of them.");
    }
    if (!marked && !StateCapture.class.isAssignableFrom(type)) {
      throw new ConfigurationException(
          "The state of the class " + type.getName() + " cannot be captured: it neither implements StateCapture nor is marked "
              + "@ReplicatedState. Mark the class, or the fields that are its state.");
    }
    try {
      StateModel model = marked ? StateModel.of(type, rules(configuration)) : null;
      if (marked) {
        LOG.info("The replicated state of {} is {}; its shape is {}.", type.getName(), model.fields(), model.fingerprint());
      }
      return new ServiceState(type, model, configuration.checksRestore() ? check(type, model) : null);
    } catch (StateException e) {
      throw new ConfigurationException("The state of " + type.getName() + " cannot be captured. " + e.getMessage());
    }
  }

  private static StateRules rules(Configuration configuration) {
    // The replica itself rejects states above its own limit as TooLarge.
    return new StateRules(configuration.serializable(), StateRules.DEFAULTS.bytes());
  }

  private static RestoreCheck check(Class<?> type, StateModel model) {
    RestoreCheck check = check(type, factory(type, model));
    LOG.warn(
        "Each captured state of {} is restored {} and compared (understudy.check=restore). This is for tests.", type.getName(),
        check.hasSecond() ? "into a second object" : "without a second object, since its constructor cannot be called");
    return check;
  }

  private static RestoreCheck check(Class<?> type, Supplier<StateCapture> others) {
    try {
      return new RestoreCheck(type, others);
    } catch (StateException e) {
      LOG.warn("{}", e.getMessage());
      return new RestoreCheck(type, null);
    }
  }

  /** Returns a factory of further objects, or null when the class has no usable constructor. */
  private static Supplier<StateCapture> factory(Class<?> type, StateModel model) {
    try {
      Constructor<?> constructor = type.getConstructor();
      if (Modifier.isAbstract(type.getModifiers()) || !Modifier.isPublic(type.getModifiers())) {
        return null;
      }
      return () -> {
        try {
          Object made = constructor.newInstance();
          return model == null ? (StateCapture) made : model.stateOf(made);
        } catch (ReflectiveOperationException e) {
          throw new StateException("No second " + type.getName() + " can be made for understudy.check=restore: " + e + ".");
        }
      };
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Halts the replica when it receives a state of another shape. */
  public void watch(Replica replica, KeyScope scope) {
    if (model != null) {
      replica.observe(scope.listener(new ShapeWatch(type, model, replica::halt)));
    }
  }

  /** Prepares the resources for states of this class; during deployment. */
  public void declare(Resources resources) {
    if (IncrementalState.class.isAssignableFrom(type)) {
      resources.storeUpdates();
    }
  }

  /**
   * Compares replays with the whole states that arrive, if the state of a service is a {@link ReplayedState}; during deployment.
   *
   * @param service the path of the service
   * @param itself its state
   * @return the watch, for the caller to close; null when there is none
   */
  public static ReplayWatch watchReplays(String service, StateCapture itself, Replica replica, KeyScope scope) {
    if (!(itself instanceof ReplayedState replayed)) {
      return null;
    }
    ReplayWatch watch = new ReplayWatch(service, replayed, () -> !isOnlyExecutor(replica.routing()));
    replica.observe(scope.listener(watch.listener()));
    return watch;
  }

  private static boolean isOnlyExecutor(Routing routing) {
    return routing.servesUpdates() && routing.servers(RequestClass.UPDATE).size() == 1;
  }

  /** Returns how the state is captured, as it appears in messages. */
  public String kind() {
    return model == null ? "StateCapture" : "@ReplicatedState";
  }

  /** Sets the state of the service, which may know its own shape; during deployment. */
  public void is(StateCapture itself) {
    ownShape = itself instanceof ReplayedState replayed ? replayed.shape() : "";
  }

  /** Returns the fingerprint of the shape; empty when the class captures its own state and does not know it. */
  public String fingerprint() {
    return model == null ? ownShape : model.fingerprint();
  }

  /** Returns the fields or constants of each class of the state; empty when the class captures its own state. */
  public SortedMap<String, List<String>> classes() {
    return model == null ? new TreeMap<>() : model.classes();
  }

  /** Returns the state of an object of the class, which may be behind a container's proxy. */
  public StateCapture stateOf(Object object) {
    StateCapture state = unchecked(object);
    return check == null || state instanceof IncrementalState ? state : check.around(state);
  }

  /** Returns the state of a service object that the application has made. A check knows that it has set fields of the object. */
  StateCapture stateOfBean(Object bean) {
    StateCapture state = unchecked(bean);
    return check == null || state instanceof IncrementalState ? state : check.aroundBean(state);
  }

  private StateCapture unchecked(Object object) {
    Object target = Targets.unwrap(object);
    return model == null ? (StateCapture) target : model.stateOf(target);
  }

  /**
   * Returns a factory of second service objects, see {@link ObjectState#seconds}.
   *
   * @param bean the service object
   * @throws StateException when there can be none; the message is the end of a sentence
   */
  public Supplier<ObjectState> seconds(Object bean) {
    if (model == null) {
      throw new StateException("it captures its own state (StateCapture), so no second object can be made");
    }
    if (Targets.unwrap(bean) != bean || bean.getClass() != type) {
      throw new StateException("a container has put the service object behind a proxy, which a second object would lack");
    }
    return model.stateOf(bean).seconds();
  }

  /**
   * Captures the state of a new object once.
   *
   * @throws ConfigurationException when that fails
   */
  public static void verify(StateCapture fresh) throws ConfigurationException {
    try {
      fresh.captureState();
    } catch (StateException e) {
      throw new ConfigurationException(e.getMessage());
    }
  }
}
