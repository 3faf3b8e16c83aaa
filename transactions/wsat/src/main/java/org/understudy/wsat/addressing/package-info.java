/** WS-Addressing's properties of a message as Narayana sees them, by CXF. Narayana finds them by {@code ServiceLoader}. */
package org.understudy.wsat.addressing;
