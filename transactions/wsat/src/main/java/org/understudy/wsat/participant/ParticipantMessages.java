package org.understudy.wsat.participant;

import com.arjuna.webservices.SoapFault;
import java.io.IOException;

/**
 * What a participant sends. A message that is lost is sent again when the coordinator asks again, so its failure is only reported.
 * Implementations block until the message is accepted.
 */
interface ParticipantMessages {
  void prepared(Registration.Member member) throws IOException, SoapFault;

  void readOnly(Registration.Member member) throws IOException, SoapFault;

  void aborted(Registration.Member member) throws IOException, SoapFault;

  void committed(Registration.Member member) throws IOException, SoapFault;

  /** The fault InconsistentInternalState: an operator has decided otherwise than the coordinator. */
  void contradicted(Registration.Member member) throws IOException, SoapFault;

  /** Passes a coordinator's decision on to another replica of the group. */
  void forward(int replica, String participant, boolean commit) throws IOException, SoapFault;
}
