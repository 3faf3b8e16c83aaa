/** WS-BaseFaults 1.2 and the faults that the operations of WSRF 1.2 declare. */
package org.understudy.soap.basefault;
