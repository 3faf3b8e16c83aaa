package org.understudy.wsat;

import com.arjuna.webservices11.wsat.sei.CompletionCoordinatorPortTypeImpl;
import com.arjuna.webservices11.wsat.sei.CompletionCoordinatorRPCPortTypeImpl;
import com.arjuna.webservices11.wsat.sei.CompletionInitiatorPortTypeImpl;
import com.arjuna.webservices11.wsat.sei.CoordinatorPortTypeImpl;
import com.arjuna.webservices11.wsat.sei.ParticipantPortTypeImpl;
import com.arjuna.webservices11.wscoor.sei.ActivationPortTypeImpl;
import com.arjuna.webservices11.wscoor.sei.RegistrationPortTypeImpl;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An endpoint of WS-AtomicTransaction, at the path at which Narayana expects it.
 *
 * @param folder begins with a slash
 * @param name the last segment of its path
 * @param ofCoordinator whether only a coordinator has it
 * @param implementation makes Narayana's implementation
 */
record Endpoints(String folder, String name, boolean ofCoordinator, Supplier<Object> implementation) {
  static final String COORDINATION = "/ws-c11";
  static final String COORDINATOR = "/ws-t11-coordinator";
  static final String PARTICIPANT = "/ws-t11-participant";
  static final String PARTICIPANT_SERVICE = PARTICIPANT + "/ParticipantService";
  static final String CLIENT = "/ws-t11-client";

  private static final List<Endpoints> ALL =
      List.of(
          new Endpoints(COORDINATION, "ActivationService", true, ActivationPortTypeImpl::new),
          new Endpoints(COORDINATION, "RegistrationService", true, RegistrationPortTypeImpl::new),
          new Endpoints(COORDINATOR, "CoordinatorService", true, CoordinatorPortTypeImpl::new),
          new Endpoints(COORDINATOR, "CompletionCoordinatorService", true, CompletionCoordinatorPortTypeImpl::new),
          new Endpoints(COORDINATOR, "CompletionCoordinatorRPCService", true, CompletionCoordinatorRPCPortTypeImpl::new),
          new Endpoints(PARTICIPANT, "ParticipantService", false, ParticipantPortTypeImpl::new),
          new Endpoints(CLIENT, "CompletionInitiatorService", true, CompletionInitiatorPortTypeImpl::new));

  /** The endpoints of a role. A coordinator has those of a participant too. */
  static List<Endpoints> of(boolean coordinator) {
    return ALL.stream().filter(one -> coordinator || !one.ofCoordinator()).toList();
  }

  /** The URL patterns of a role. */
  static Set<String> paths(boolean coordinator) {
    Set<String> paths = new LinkedHashSet<>();
    of(coordinator).forEach(one -> paths.add(one.folder() + "/*"));
    return paths;
  }

  String path() {
    return folder + "/" + name;
  }
}
