/** The used part of WS-Addressing 1.0: endpoint references and names. */
package org.understudy.soap.addressing;
